import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningAgent, runToEnd, startAgent } from '../testing/lab.ts';

const uri = 'https://plugfest.example/extensions/lab/v1';
let agent: RunningAgent;

beforeAll(async () => {
  agent = await startAgent(['--protocol', 'both', '--requireExtension', uri]);
});
afterAll(() => agent.stop());

/** A send over JSON-RPC; `method` decides the version. */
async function send(method: string, headers: Record<string, string>) {
  const modern = method === 'SendMessage';
  const message = {
    messageId: `m-${Math.random()}`,
    ...(modern
      ? { role: 'ROLE_USER', parts: [{ text: 'plugfest-echo word' }] }
      : { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'plugfest-echo word' }] }),
  };
  const response = await fetch(`${agent.url}/jsonrpc`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(modern ? { 'a2a-version': '1.0' } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } }),
  });
  return { headers: response.headers, body: JSON.stringify(await response.json()) };
}

test('the card declares it as required', async () => {
  const card = await (await fetch(agent.ready.card, { headers: { 'a2a-version': '1.0' } })).json();
  expect(card).toMatchObject({ capabilities: { extensions: [{ uri, required: true }] } });
});

test.each([
  ['SendMessage', 'A2A-Extensions'],
  ['message/send', 'X-A2A-Extensions'],
])('%s is refused without it, and served with it', async (method, name) => {
  for (const asked of [{}, { [name]: 'https://plugfest.example/extensions/lab/v2' }]) {
    const refused = await send(method, asked);
    expect(refused.body).toContain(`This agent requires the extension ${uri}`);
    expect(refused.body).not.toContain('"result"');
    if (method === 'SendMessage') expect(refused.body).toContain('"code":-32008');
  }
  const served = await send(method, { [name]: `https://plugfest.example/other, ${uri}` });
  expect(served.body).toContain('"result"');
  expect(served.headers.get(name)).toBe(uri);
});

test('one that the card only offers is active where it is asked for in this version', async () => {
  const offering = await startAgent(['--protocol', 'both', '--offerExtension', uri]);
  const before = agent;
  agent = offering;
  try {
    const card = await (await fetch(offering.ready.card, { headers: { 'a2a-version': '1.0' } })).json();
    expect(card).toMatchObject({ capabilities: { extensions: [{ uri, required: false }] } });
    for (const [asked, active] of [
      [undefined, null],
      ['https://plugfest.example/extensions/lab/v2', null],
      [`https://plugfest.example/other, ${uri}`, uri],
    ] as const) {
      const served = await send('SendMessage', asked === undefined ? {} : { 'A2A-Extensions': asked });
      expect(served.body).toContain('"result"');
      expect(served.headers.get('A2A-Extensions')).toBe(active);
    }
  } finally {
    agent = before;
    await offering.stop();
  }
});

test('what is no URI is refused', async () => {
  const { code, stderr } = await runToEnd(['--requireExtension', 'lab v1']);
  expect([code, stderr]).toEqual([2, '--requireExtension lab v1: not an absolute URI\n']);
});

test('a card of 0.3 alone declares it, too', async () => {
  const old = await startAgent(['--protocol', '0.3', '--requireExtension', uri]);
  try {
    const card = await (await fetch(old.ready.card)).json();
    expect(card).toMatchObject({ capabilities: { extensions: [{ uri, required: true }] } });
  } finally {
    await old.stop();
  }
});
