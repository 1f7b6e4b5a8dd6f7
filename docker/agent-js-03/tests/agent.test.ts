import assert from 'node:assert/strict';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import { base64url, createLocalJWKSet, decodeProtectedHeader, flattenedVerify } from 'jose';
import { type Json, post, rpc, runToEnd, said, send, startAgent } from './lab.ts';

const cardAt = async (url: string): Promise<Json> => (await fetch(url)).json();

const refusals = [
  [['--protocol', '1.0'], '--protocol 1.0: this SDK has 0.3 only, so --protocol 0.3'],
  [['--protocol', 'both'], '--protocol both: this SDK has 0.3 only, so --protocol 0.3'],
  [['--bindings', 'SOAP'], '--bindings SOAP: not one of JSONRPC, HTTP+JSON, GRPC'],
  [['--httpPort', 'x'], '--httpPort x: not a port (0 to 65535)'],
  [['--auth', 'bearer'], '--auth bearer: set LAB_AGENT_TOKENS, e.g. alice=TOKEN,bob=TOKEN'],
  [['--extendedCard'], '--extendedCard: needs --auth bearer'],
  [['--fault', 'x'], '--fault x: this agent plays no defects; the bundled JS agent does'],
] as const;
for (const [flags, message] of refusals) {
  test(`${flags.join(' ')} is refused with exit code 2 and one line`, async () => {
    assert.deepEqual(await runToEnd(flags), { code: 2, stdout: '', stderr: `${message}\n` });
  });
}

test('the card is one of 0.3 with every binding', async () => {
  const agent = await startAgent(['--name', 'amber']);
  try {
    const card = await cardAt(agent.ready.card);
    assert.equal(card.name, 'amber');
    assert.equal(card.protocolVersion, '0.3.0');
    assert.deepEqual([card.url, card.preferredTransport], [`${agent.url}/jsonrpc`, 'JSONRPC']);
    assert.deepEqual(card.additionalInterfaces, [
      { url: `${agent.url}/jsonrpc`, transport: 'JSONRPC' },
      { url: `${agent.url}/rest`, transport: 'HTTP+JSON' },
      { url: agent.ready.origins[0].replace('http://', ''), transport: 'GRPC' },
    ]);
  } finally {
    await agent.stop();
  }
});

test('a signed card verifies by the key at its jku, and no longer once it was changed', async () => {
  const agent = await startAgent(['--signCard']);
  try {
    const { signatures, ...card } = await cardAt(agent.ready.card);
    assert.equal(signatures.length, 1);
    const { jku } = decodeProtectedHeader(signatures[0]);
    assert.equal(jku, `${agent.url}/.well-known/jwks.json`);
    const keySet = await cardAt(`${agent.url}/.well-known/jwks.json`);
    assert.equal(keySet.keys[0].d, undefined);
    const verify = (shown: Json) =>
      flattenedVerify(
        { ...signatures[0], payload: base64url.encode(canonicalize(shown) ?? '') },
        createLocalJWKSet(keySet),
      );
    await verify(card);
    await assert.rejects(verify({ ...card, description: 'another' }), /signature verification failed/);
  } finally {
    await agent.stop();
  }
});

test('without --signCard there is neither signature nor key', async () => {
  const agent = await startAgent();
  try {
    assert.equal((await cardAt(agent.ready.card)).signatures, undefined);
    assert.equal((await fetch(`${agent.url}/.well-known/jwks.json`)).status, 404);
  } finally {
    await agent.stop();
  }
});

test('--bindings leaves the others out, and the first is the preferred one', async () => {
  const agent = await startAgent(['--bindings', 'HTTP+JSON']);
  try {
    const card = await cardAt(agent.ready.card);
    const only = { url: `${agent.url}/rest`, transport: 'HTTP+JSON' };
    assert.deepEqual([card.preferredTransport, card.additionalInterfaces], ['HTTP+JSON', [only]]);
    assert.equal((await post(`${agent.url}/jsonrpc`, {})).status, 404);
    assert.equal(agent.ready.origins, undefined);
  } finally {
    await agent.stop();
  }
});

test('bound to every address, the card names the machine', async () => {
  const agent = await startAgent(['--host', '0.0.0.0']);
  try {
    const { port } = new URL(agent.ready.card);
    const card = await cardAt(`http://127.0.0.1:${port}/.well-known/agent-card.json`);
    assert.equal(card.url, `http://${hostname()}:${port}/jsonrpc`);
  } finally {
    await agent.stop();
  }
});

test('it ends on SIGTERM within 2 s, even with an open stream', async () => {
  const agent = await startAgent();
  const params = { message: said('tck-long-running') };
  const open = await post(`${agent.url}/jsonrpc`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'message/stream',
    params,
  });
  assert.equal(open.status, 200);
  const begin = Date.now();
  await agent.stop();
  assert.equal(agent.process.exitCode, 0);
  assert.ok(Date.now() - begin < 2000);
  // The connection was cut under it.
  await open.text().catch(() => undefined);
});

test('it ends when its parent closes stdin, if asked to', async () => {
  const agent = await startAgent([], { PLUGFEST_PARENT: 'stdin' });
  const exit = once(agent.process, 'exit');
  agent.process.stdin?.end();
  assert.deepEqual(await exit, [0, null]);
});

test('malformed requests are refused and do not bring the agent down', async () => {
  const agent = await startAgent();
  try {
    const bodies = [
      'null',
      '{',
      '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":null}}',
      '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","parts":[{}]}}}',
    ];
    const headers = { 'Content-Type': 'application/json' };
    for (const body of bodies) {
      for (const path of ['jsonrpc', 'rest/v1/message:send'])
        await (await fetch(`${agent.url}/${path}`, { method: 'POST', headers, body })).text();
    }
    assert.equal((await send(agent.url, said('still there'))).status.state, 'completed');
    assert.equal((await rpc(agent.url, 'SendMessage', {})).error.code, -32601);
  } finally {
    await agent.stop();
  }
});
