import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { expect, test } from 'vitest';
import { runToEnd, startAgent } from './testing/lab.ts';
import { type Json, rpc, sendText } from './testing/wire.ts';

const card = async (url: string, headers: Record<string, string> = {}): Promise<Json> =>
  (await fetch(`${url}/.well-known/agent-card.json`, { headers })).json();

test('the ready line is the only line on stdout, also when the SDK logs', async () => {
  const agent = await startAgent(['--name', 'amber']);
  try {
    expect(agent.ready).toEqual({
      ready: true,
      name: 'amber',
      card: `${agent.url}/.well-known/agent-card.json`,
      origins: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)],
    });
    expect(agent.ready.origins).not.toEqual([agent.url]);
    await sendText(agent.url, 'hello', { taskPushNotificationConfig: { url: 'http://127.0.0.1:9/' } });
    expect(agent.stdout().trim().split('\n')).toHaveLength(1);
  } finally {
    await agent.stop();
  }
});

test('it ends on SIGTERM within 2 s, even while it works on a task', async () => {
  const agent = await startAgent([]);
  await sendText(agent.url, 'tck-long-running', { returnImmediately: true });
  const begin = Date.now();
  await agent.stop();
  expect(agent.process.exitCode).toBe(0);
  expect(Date.now() - begin).toBeLessThan(2000);
});

test('it ends when its parent closes stdin, if asked to', async () => {
  const agent = await startAgent([], { PLUGFEST_PARENT: 'stdin' });
  const exit = once(agent.process, 'exit');
  agent.process.stdin?.end();
  expect(await exit).toEqual([0, null]);
});

test('it outlives its stdin otherwise', async () => {
  const agent = await startAgent([]);
  try {
    agent.process.stdin?.end();
    expect(await card(agent.url)).toMatchObject({ name: '@a2a-js/sdk' });
  } finally {
    await agent.stop();
  }
});

test('a signed card verifies by the key that it names, and not where a word was changed', async () => {
  const agent = await startAgent(['--signCard']);
  try {
    const signed = AgentCard.fromJSON(await card(agent.url));
    const named: (string | undefined)[] = [];
    const verify = verifyAgentCardSignature(async (kid, jku) => {
      named.push(jku);
      const { keys } = (await (await fetch(jku ?? '')).json()) as { keys: JsonWebKey[] };
      const [key] = keys.filter((one) => 'kid' in one && one.kid === kid);
      if (!key) throw new Error(`no key ${kid}`);
      expect(key).not.toHaveProperty('d');
      return createPublicKey({ key, format: 'jwk' });
    });
    await verify(signed);
    expect(named).toEqual([`${agent.url}/.well-known/jwks.json`]);
    await expect(verify({ ...signed, description: 'other' })).rejects.toThrow();
  } finally {
    await agent.stop();
  }
});

test.each([
  [['--signCard', '--protocol', '0.3'], '--signCard: the SDK signs cards of 1.0'],
  [['--protocol', '2.0'], '--protocol 2.0: not one of 1.0, 0.3, both'],
  [['--bindings', 'JSONRPC,SOAP'], '--bindings SOAP: not one of JSONRPC, HTTP+JSON, GRPC'],
  [['--httpPort', 'x'], '--httpPort x: not a port (0 to 65535)'],
  [['--grpcPort', '65536'], '--grpcPort 65536: not a port (0 to 65535)'],
  [['--auth', 'basic'], '--auth basic: not one of bearer'],
  [['--auth', 'bearer'], '--auth bearer: set LAB_AGENT_TOKENS, e.g. alice=TOKEN,bob=TOKEN'],
  [['--extendedCard'], '--extendedCard: needs --auth bearer'],
  [['--wat'], "Unknown option '--wat'"],
  [
    ['--fault', 'none'],
    '--fault none: not one of events-after-terminal, kebab-states, webhook-without-token, wrong-jsonrpc-id',
  ],
])('%s is refused with exit code 2 and one line on stderr', async (flags, message) => {
  const { code, stdout, stderr } = await runToEnd(flags);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test.each(['httpPort', 'grpcPort'])('a taken %s is reported in one line', async (flag) => {
  const agent = await startAgent([]);
  const { code, stderr } = await runToEnd([`--${flag}`, new URL(agent.url).port]);
  await agent.stop();
  expect(code).toBe(2);
  expect(stderr).toMatch(/^cannot listen.*EADDRINUSE.*\n$/);
});

test.each([
  ['alice', 'entry 1 is not NAME=TOKEN, e.g. alice=TOKEN,bob=TOKEN'],
  ['alice=s3cret,alice=other', 'alice is there twice'],
  ['alice=s3cret,bob=s3cret', 'alice and bob have the same token'],
])('LAB_AGENT_TOKENS=%s is refused without telling the token', async (LAB_AGENT_TOKENS, problem) => {
  expect(await runToEnd([], { LAB_AGENT_TOKENS })).toEqual({
    code: 2,
    stdout: '',
    stderr: `LAB_AGENT_TOKENS: ${problem}\n`,
  });
});

test('a 1.0 agent lists one interface per binding, and refuses 0.3', async () => {
  const agent = await startAgent(['--name', 'amber']);
  try {
    const { name, supportedInterfaces, capabilities, skills } = await card(agent.url);
    expect(name).toBe('amber');
    expect(capabilities).toMatchObject({ streaming: true, pushNotifications: true });
    expect(skills).toMatchObject([{ id: 'lab', tags: ['lab', 'interop'], examples: [expect.any(String)] }]);
    expect(supportedInterfaces).toMatchObject([
      { url: `${agent.url}/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${agent.url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url: agent.ready.origins?.[0]?.slice(7), protocolBinding: 'GRPC', protocolVersion: '1.0' },
    ]);
    const old = await fetch(`${agent.url}/jsonrpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } }),
    });
    expect(await old.json()).toMatchObject({ error: { code: -32009 } });
  } finally {
    await agent.stop();
  }
});

test.each(['1.0', 'both'])(
  '--bindings leaves the others out of the card and off a %s server',
  async (protocol) => {
    const agent = await startAgent(['--protocol', protocol, '--bindings', 'HTTP+JSON']);
    const headers = { 'A2A-Version': '1.0' };
    try {
      const { supportedInterfaces } = await card(agent.url, headers);
      expect(new Set(supportedInterfaces.map((offer: Json) => offer.protocolBinding))).toEqual(
        new Set(['HTTP+JSON']),
      );
      expect(agent.ready).not.toHaveProperty('origins');
      expect((await fetch(`${agent.url}/jsonrpc`, { method: 'POST' })).status).toBe(404);
    } finally {
      await agent.stop();
    }
  },
);

test('a 0.3 agent serves a 0.3 card whatever the reader asks for, and refuses 1.0', async () => {
  const agent = await startAgent(['--protocol', '0.3']);
  try {
    for (const headers of [{}, { 'A2A-Version': '1.0' }]) {
      const served = await card(agent.url, headers);
      expect(served).toMatchObject({
        url: `${agent.url}/jsonrpc`,
        preferredTransport: 'JSONRPC',
        protocolVersion: '0.3.0',
        additionalInterfaces: [
          { url: `${agent.url}/jsonrpc`, transport: 'JSONRPC' },
          { url: `${agent.url}/rest`, transport: 'HTTP+JSON' },
          { url: agent.ready.origins?.[0]?.slice(7), transport: 'GRPC' },
        ],
      });
      expect(served).not.toHaveProperty('supportedInterfaces');
    }
    expect(await rpc(agent.url, 'GetTask', { id: 'x' })).toMatchObject({ error: { code: -32009 } });
    expect(await (await fetch(`${agent.url}/rest/v1/tasks/x`)).json()).toMatchObject({ code: -32001 });
    // No answer of the SDK: it has no such path.
    const unknown = await fetch(`${agent.url}/rest/tasks/x`, { headers: { 'A2A-Version': '1.0' } });
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  } finally {
    await agent.stop();
  }
});

test('an agent of both versions lists 0.3 beside 1.0', async () => {
  const agent = await startAgent(['--protocol', 'both']);
  try {
    const served = await card(agent.url, { 'A2A-Version': '1.0' });
    expect(
      served.supportedInterfaces.map((offer: Json) => `${offer.protocolBinding} ${offer.protocolVersion}`),
    ).toEqual(['JSONRPC 1.0', 'HTTP+JSON 1.0', 'GRPC 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3', 'GRPC 0.3']);
  } finally {
    await agent.stop();
  }
});

test('an agent bound to every address names its machine', async () => {
  const agent = await startAgent(['--host', '0.0.0.0']);
  try {
    const { host, port } = new URL(agent.ready.card);
    expect(host).toBe(`${hostname().toLowerCase()}:${port}`);
    const { supportedInterfaces } = await card(`http://127.0.0.1:${port}`);
    expect(supportedInterfaces[0].url).toBe(`http://${hostname()}:${port}/jsonrpc`);
    expect(supportedInterfaces[2].url).toMatch(new RegExp(`^${hostname()}:\\d+$`));
  } finally {
    await agent.stop();
  }
});

test('malformed requests are refused and do not bring the agent down', async () => {
  const agent = await startAgent(['--protocol', 'both']);
  try {
    const bodies = [
      'null',
      '[]',
      '{',
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":null}}',
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","parts":[{},null]}}}',
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","parts":[{"data":{"plugfest":"drive/1"}}]}}}',
      '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","parts":[{"kind":"x"}]}}}',
    ];
    for (const version of ['1.0', '0.3']) {
      for (const body of bodies) {
        const headers = { 'Content-Type': 'application/json', 'A2A-Version': version };
        await (await fetch(`${agent.url}/jsonrpc`, { method: 'POST', headers, body })).text();
        await (await fetch(`${agent.url}/rest/message:send`, { method: 'POST', headers, body })).text();
      }
    }
    expect((await sendText(agent.url, 'still there')).status.state).toBe('TASK_STATE_COMPLETED');
  } finally {
    await agent.stop();
  }
});
