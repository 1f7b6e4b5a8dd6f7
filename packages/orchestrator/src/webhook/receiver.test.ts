import { cellId } from '@plugfest/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { type PassThrough, passThrough } from '../testing/pass-through.ts';
import { type Answers, type Expected, startWebhookReceiver, type WebhookReceiver } from './receiver.ts';

let proxy: PassThrough;
let receiver: WebhookReceiver;
let tap: string;
beforeAll(async () => {
  proxy = passThrough();
  receiver = await startWebhookReceiver(proxy, systemClock);
  const upstream = receiver.origin;
  tap = (await proxy.openTap({ caller: 'birch', callee: 'plugfest', kind: 'webhook', upstream })).origin;
});
afterAll(() => receiver.close());

let count = 0;
const signal = new AbortController().signal;
function register(expected: Expected, answers?: Answers) {
  count += 1;
  const spec = { secret: `secret${count}`, sender: 'birch', cell: cellId('c'), expected };
  return receiver.register(answers === undefined ? spec : { ...spec, answers });
}

const done = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } };
const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/a2a+json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the webhook receiver', () => {
  test('takes what comes with the token and the credentials', async () => {
    const hook = register({ token: 'T', authentication: { scheme: 'Bearer', credentials: 'C' } });
    const waiting = hook.waitFor(({ state }) => state === 'TASK_STATE_COMPLETED', 2000, signal);
    const headers = { 'x-a2a-notification-token': 'T', authorization: 'bearer C' };
    expect((await post(tap + hook.path, done, headers)).status).toBe(200);
    expect(await waiting).toMatchObject({
      taskId: 't',
      shape: 'statusUpdate',
      token: 'ok',
      authorization: 'ok',
      status: 200,
    });
  });

  test.each([
    [{}, 'absent'],
    [{ 'x-a2a-notification-token': 'other' }, 'wrong'],
  ] as const)('refuses what comes with the token %j', async (headers, token) => {
    const hook = register({ token: 'T' });
    expect((await post(tap + hook.path, done, headers)).status).toBe(401);
    expect(hook.deliveries).toMatchObject([{ token, authorization: 'not-registered' }]);
  });

  test('sends a delivery elsewhere, and tells that it came', async () => {
    const hook = register({}, { kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' });
    const answer = await fetch(tap + hook.path, { method: 'POST', body: '{}', redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/elsewhere']);
    expect(hook.deliveries).toHaveLength(1);
  });

  test('never answers, and tells when the sender left', async () => {
    const hook = register({}, { kind: 'never' });
    const patience = AbortSignal.timeout(100);
    await expect(fetch(tap + hook.path, { method: 'POST', body: '{}', signal: patience })).rejects.toThrow();
    const left = await hook.waitFor(({ leftAfterMs }) => leftAfterMs !== undefined, 2000, signal);
    expect(left?.leftAfterMs).toBeGreaterThan(0);
  });

  test('refuses other credentials', async () => {
    const hook = register({ authentication: { scheme: 'Bearer', credentials: 'C' } });
    expect((await post(tap + hook.path, done, { authorization: 'Basic C' })).status).toBe(401);
    expect((await post(tap + hook.path, done, { authorization: 'Bearer D' })).status).toBe(401);
  });

  test('knows the 0.3 form, and text that is no JSON', async () => {
    const hook = register({});
    await post(tap + hook.path, { kind: 'task', id: 't', status: { state: 'completed' } });
    await post(tap + hook.path, 'hello');
    expect(hook.deliveries).toMatchObject([
      { shape: 'bare-task', taskId: 't', state: 'TASK_STATE_COMPLETED' },
      { shape: 'unknown', body: undefined },
    ]);
  });

  test('gives up waiting after its time, and when it is told to', async () => {
    const hook = register({});
    expect(await hook.waitFor(() => true, 20, signal)).toBeUndefined();
    const stop = new AbortController();
    const waiting = hook.waitFor(() => true, 5000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test('does not know other paths, and takes no endless body', async () => {
    expect((await post(`${tap}/hook/guess`, done)).status).toBe(404);
    const hook = register({});
    expect((await post(tap + hook.path, 'x'.repeat(1_100_000))).status).toBe(413);
  });

  test('keeps no endless number of deliveries', async () => {
    const hook = register({});
    const statuses: number[] = [];
    for (let i = 0; i < 257; i += 1) statuses.push((await post(tap + hook.path, done)).status);
    expect(statuses.slice(-2)).toEqual([200, 429]);
    expect(hook.deliveries).toHaveLength(256);
  });

  test('tells of a delivery that came past the proxy', async () => {
    expect(receiver.bypass()).toEqual([]);
    const hook = register({});
    await post(receiver.origin + hook.path, done);
    expect(receiver.bypass()).toMatchObject([{ agent: 'birch', method: 'socket', cell: 'c' }]);
  });
});
