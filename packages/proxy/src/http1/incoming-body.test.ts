import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { IncomingBody } from './incoming-body.ts';

it('a body that waited comes in its order and once, however it is paused, and is given back whole', async () => {
  let held = 0;
  const body = new IncomingBody({
    hold: (bytes) => {
      held += bytes;
    },
    give: (bytes) => {
      held -= bytes;
    },
  });
  const sent = Array.from({ length: 5000 }, (_, i) => String.fromCharCode(97 + (i % 26)));
  for (const text of sent) body.receive(Buffer.from(text));
  expect(held).toBe(5000);
  let got = '';
  let ended = 0;
  body.on('end', () => {
    ended += 1;
  });
  body.on('data', (chunk) => {
    got += chunk.toString();
    if (got.length % 700 === 0) {
      body.pause();
      setImmediate(() => body.resume());
    }
  });
  for (let turn = 0; turn < 40; turn++) await nextTurn();
  body.receive(Buffer.from('!'));
  body.finish([]);
  await nextTurn();
  expect(got).toBe(`${sent.join('')}!`);
  expect([held, ended]).toEqual([0, 1]);
});
