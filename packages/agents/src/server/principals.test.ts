import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningAgent, startAgent } from '../testing/lab.ts';
import { dialects, drive, type Json, post } from '../testing/wire.ts';

const environment = { LAB_AGENT_TOKENS: 'alice=token-a=,bob=token-b' };

let driver: RunningAgent;
let guarded: RunningAgent;
beforeAll(async () => {
  [driver, guarded] = await Promise.all([
    startAgent([], { LAB_AGENT_TOKENS: `${environment.LAB_AGENT_TOKENS},mallory=token-m` }),
    startAgent(['--protocol', 'both', '--auth', 'bearer', '--extendedCard'], environment),
  ]);
});
afterAll(() => Promise.all([driver.stop(), guarded.stop()]));

const message = (text: string, members: Json = {}) => ({ messageId: randomUUID(), text, ...members });

describe.each(dialects)('$binding $version', (dialect) => {
  const call = (as: string | undefined, op: string, members: Json = {}) =>
    drive(driver.url, guarded.url, dialect, { op, ...members }, as === undefined ? {} : { as });

  test('a call without a token, or with one that nobody has, is refused', async () => {
    for (const as of [undefined, 'mallory']) {
      const refused = await call(as, 'SendMessage', { message: message('plugfest-echo N') });
      expect(refused).toMatchObject({ ok: false, events: [] });
      expect(JSON.stringify(refused.error)).toMatch(/401|Unauthorized|\b16\b/);
      const stream = await call(as, 'SendStreamingMessage', { message: message('plugfest-echo N') });
      expect(stream).toMatchObject({ ok: false, events: [] });
    }
  });

  test('a task is seen by whoever made it and by nobody else', async () => {
    const { events } = await call('alice', 'SendMessage', { message: message('plugfest-ask N') });
    expect(events).toMatchObject([{ state: 'TASK_STATE_INPUT_REQUIRED' }]);
    const { taskId } = events[0];
    expect((await call('alice', 'GetTask', { taskId })).events).toMatchObject([{ taskId }]);
    const hidden = { ok: false, error: { name: 'TaskNotFoundError' } };
    expect(await call('bob', 'GetTask', { taskId })).toMatchObject(hidden);
    expect(await call('bob', 'CancelTask', { taskId })).toMatchObject(hidden);
    expect(await call('bob', 'SendMessage', { message: message('Ada', { taskId }) })).toMatchObject(hidden);
  });

  test('nobody else learns that a task is being worked on', async () => {
    const { events } = await call('alice', 'SendMessage', {
      message: message('plugfest-slow 2000 N'),
      configuration: { returnImmediately: true },
    });
    const { taskId } = events[0];
    const more = (as: string) => call(as, 'SendMessage', { message: message('more', { taskId }) });
    expect(await more('alice')).toMatchObject({ ok: false, error: { name: 'UnsupportedOperationError' } });
    expect(await more('bob')).toMatchObject({ ok: false, error: { name: 'TaskNotFoundError' } });
  });

  test('the extended card has a skill more than the public one', async () => {
    expect((await call(undefined, 'GetAgentCard')).events).toMatchObject([{ skills: ['lab'] }]);
    expect((await call('alice', 'GetExtendedAgentCard')).events).toMatchObject([
      { kind: 'card', skills: ['lab', 'lab-extended'] },
    ]);
  });
});

test('ListTasks lists the own tasks only', async () => {
  const dialect = { binding: 'GRPC', version: '1.0' } as const;
  const list = (as: string) =>
    drive(driver.url, guarded.url, dialect, { op: 'ListTasks', contextId }, { as });
  const contextId = randomUUID();
  const send = { op: 'SendMessage', message: message('plugfest-echo N', { contextId }) };
  await drive(driver.url, guarded.url, dialect, send, { as: 'alice' });
  expect((await list('alice')).events).toMatchObject([{ kind: 'task', contextId }, { kind: 'page' }]);
  expect((await list('bob')).events).toMatchObject([{ kind: 'page', totalSize: 0 }]);
});

test.each([
  [{}, 'Bearer'],
  [{ authorization: 'Basic dG9rZW4tYT06' }, 'Bearer'],
  [{ authorization: 'Bearer nobody' }, 'Bearer error="invalid_token"'],
])('over HTTP, %j is challenged', async (headers, challenge) => {
  for (const path of ['jsonrpc', 'rest/message:send', 'rest/v1/message:send']) {
    const response = await post(`${guarded.url}/${path}`, {}, '1.0', headers);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge]);
  }
});

test('the description of the extended skill names the principal', async () => {
  const headers = { Authorization: 'bearer token-b', 'A2A-Version': '1.0' };
  const card = (await (await fetch(`${guarded.url}/rest/extendedAgentCard`, { headers })).json()) as Json;
  expect(card.skills[1]).toMatchObject({ id: 'lab-extended', description: 'For bob.' });
});

test('the card of a 0.3 agent says that it wants a token', async () => {
  const old = await startAgent(['--protocol', '0.3', '--auth', 'bearer', '--extendedCard'], environment);
  try {
    expect(await (await fetch(old.ready.card)).json()).toMatchObject({
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      security: [{ bearer: [] }],
      supportsAuthenticatedExtendedCard: true,
    });
  } finally {
    await old.stop();
  }
});

test('a drive as somebody whom the agent does not know is refused', async () => {
  const call = { op: 'GetTask', taskId: 'x' };
  const dialect = { binding: 'JSONRPC', version: '1.0' } as const;
  expect(await drive(driver.url, guarded.url, dialect, call, { as: 'eve' })).toMatchObject({
    ok: false,
    error: { name: 'InvalidDriveCall', message: 'as eve: not a principal of LAB_AGENT_TOKENS' },
  });
});

test.each([
  ['1.0', 'a2a-extensions'],
  ['0.3', 'x-a2a-extensions'],
] as const)('a drive in %s asks for extensions in %s, and sends its token', async (version, header) => {
  const seen: IncomingHttpHeaders[] = [];
  const peer = createServer((request, response) => {
    const url = `http://${request.headers.host}/rpc`;
    const offers = [{ url, protocolBinding: 'JSONRPC', protocolVersion: version }];
    const card = { name: 'peer', supportedInterfaces: offers, capabilities: {}, skills: [] };
    if (request.method === 'POST') seen.push(request.headers);
    response.end(JSON.stringify(request.method === 'GET' ? card : { jsonrpc: '2.0', id: 1, result: {} }));
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
    const members = { as: 'alice', extensions: ['https://example.com/a', 'https://example.com/b'] };
    await drive(driver.url, url, { binding: 'JSONRPC', version }, { op: 'GetTask', taskId: 'x' }, members);
    expect(seen).toMatchObject([
      { authorization: 'Bearer token-a=', [header]: 'https://example.com/a,https://example.com/b' },
    ]);
  } finally {
    peer.closeAllConnections();
    peer.close();
  }
});
