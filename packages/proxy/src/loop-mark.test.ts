import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from './testing/memory-sink.ts';
import { answering, RawServer } from './testing/raw.ts';
import { tapped } from './testing/tapped.ts';

/** Another proxy, which passes on what it gets, to wherever it is told. */
async function relay() {
  let target = '';
  const server = http.createServer((request, response) => {
    const { port, hostname } = new URL(target);
    const { method, url, headers } = request;
    const onward = http.request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (origin: string) => {
      target = origin;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('a loop through another proxy is found the second time round, where something may be added', async () => {
  await using between = await relay();
  await using lab = await tapped(between.origin, { tracing: 'inject' });
  between.leadTo(lab.tap.origin);
  const response = await fetch(lab.tap.origin);
  expect(response.status).toBe(508);
  expect(response.headers.get('x-plugfest-error')).toBe('loop');
  await response.text();
  expect(lab.sink.of('request-head')).toHaveLength(2);
  const marks = lab.sink.changes('x1').filter(({ reason }) => reason === 'via');
  expect(marks).toMatchObject([
    { where: 'Via', after: expect.stringMatching(/^1\.1 plugfest-[0-9a-f]{16}$/) },
  ]);
});

it('a request that passes through several taps is none', async () => {
  await using server = await RawServer.start(answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
  await using inner = await tapped(server.origin, { tracing: 'inject' });
  await using outer = await tapped(inner.tap.origin, { tracing: 'inject' }, { callee: 'gateway' });
  expect(await (await fetch(outer.tap.origin)).text()).toBe('hi');
  const [connection] = server.connections;
  expect(connection?.text.match(/^Via: 1\.1 plugfest-/gm)).toHaveLength(2);
});

it('nothing is added to a request that is only observed', async () => {
  await using server = await RawServer.start(answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
  await using lab = await tapped(server.origin);
  await (await fetch(lab.tap.origin)).text();
  const text = await eventually(() => server.connections[0]?.text, 'a request');
  expect(text.toLowerCase()).not.toContain('via');
});
