import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@plugfest/model';
import type { Dialect } from '@plugfest/orchestrator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DriveCall } from '../../packages/orchestrator/src/driver/drive.ts';
import { checking, label, said, tokens } from './check.ts';
import { dialectsOf, type Kind, protocolOf, tried } from './kinds.ts';
import { driveResultIn, Running } from './running.ts';
import { Webhook } from './webhook.ts';

/**
 * docs/lab-agents.md, sections Drive calls and Principals: what the agent's own SDK client does where it is told to, tried
 * on the agent itself over each dialect that it has.
 */
vi.setConfig({ testTimeout: 90_000 });

let webhook: Webhook;
beforeAll(async () => {
  webhook = await Webhook.open();
});
afterAll(() => webhook[Symbol.asyncDispose]());

for (const kind of tried)
  describe(kind.name, () => {
    describe('drive calls', () => drives(kind));
    if (kind.features.includes('auth')) describe('drive calls of principals', () => principals(kind));
  });

/** Tells an agent to make a call, in the first dialect that it has; the data of its result. */
async function told(
  agent: Running,
  kind: Kind,
  to: Dialect,
  call: DriveCall,
  members: JsonObject = {},
  token?: string,
) {
  const [first = to] = dialectsOf(kind);
  const data = {
    plugfest: 'drive/1',
    card: agent.url,
    ...to,
    call: call as unknown as JsonObject,
    ...members,
  };
  const message = { messageId: randomUUID(), data };
  return driveResultIn(await agent.call(first, { op: 'SendMessage', message }, token));
}

function drives(kind: Kind): void {
  let agent: Running;
  beforeAll(async () => {
    agent = await Running.start(kind, ['--protocol', protocolOf(kind)], tokens);
  }, 90_000);
  afterAll(() => agent?.[Symbol.asyncDispose]());

  for (const dialect of dialectsOf(kind))
    describe(label(dialect), () => {
      const check = checking(kind, label(dialect));
      const drive = (call: DriveCall, members: JsonObject = {}) => told(agent, kind, dialect, call, members);
      const events = async (call: DriveCall): Promise<JsonObject[]> => {
        const result = await drive(call);
        expect(result).toMatchObject({ op: call.op, ok: true });
        return result.events as JsonObject[];
      };
      const taskOf = async (text: string): Promise<string> => {
        const configuration = { returnImmediately: true };
        const [task] = await events({ op: 'SendMessage', message: said(text), configuration });
        expect(task).toMatchObject({ kind: 'task', taskId: expect.stringMatching(/./) });
        return String(task?.taskId);
      };

      check('GetAgentCard tells name, versions, bindings and skills', async () => {
        const [card] = await events({ op: 'GetAgentCard' });
        expect(card).toMatchObject({
          ...{ kind: 'card', name: agent.ready.name, skills: ['lab'] },
          versions: expect.arrayContaining([expect.stringContaining(dialect.version)]),
          bindings: expect.arrayContaining([dialect.binding]),
        });
      });

      check('SendMessage tells a Message as one', async () => {
        const seen = await events({ op: 'SendMessage', message: said('tck-message-response') });
        expect(seen).toMatchObject([{ kind: 'message', text: 'Direct message response' }]);
      });

      check('a follow-up reaches its task', async () => {
        const taskId = await taskOf('plugfest-ask n');
        await vi.waitFor(
          async () =>
            expect(await events({ op: 'GetTask', taskId })).toMatchObject([
              { state: 'TASK_STATE_INPUT_REQUIRED' },
            ]),
          { timeout: 10_000 },
        );
        const [task] = await events({ op: 'SendMessage', message: said('more', { taskId }) });
        expect(task).toMatchObject({ taskId, state: 'TASK_STATE_COMPLETED', text: 'resumed: more' });
      });

      check(
        'a stream is dropped where it is told to, and the task is subscribed to, read and cancelled',
        async () => {
          const begun = await events({
            ...{ op: 'SendStreamingMessage', message: said('tck-long-running'), stopAfterEvents: 2 },
          } as DriveCall);
          expect(begun).toHaveLength(3);
          expect(begun.at(-1)).toEqual({ kind: 'closed', by: 'client' });
          const taskId = String(begun[0]?.taskId);
          expect(await events({ op: 'GetTask', taskId })).toMatchObject([
            { taskId, state: 'TASK_STATE_WORKING' },
          ]);
          const again = await events({ op: 'SubscribeToTask', taskId, stopAfterEvents: 1 });
          expect(again).toMatchObject([{ taskId }, { kind: 'closed', by: 'client' }]);
          expect(await events({ op: 'CancelTask', taskId })).toMatchObject([
            { taskId, state: 'TASK_STATE_CANCELED' },
          ]);
        },
      );

      check('parts go out, and what came back is told', async () => {
        const parts = [
          { raw: 'AAEC/w==', mediaType: 'application/octet-stream', filename: 'four.bin' },
          { url: 'https://example.com/a.txt', mediaType: 'text/plain' },
          { data: { deep: [{ a: 1 }, 'b'] } },
        ];
        const [task] = await events({ op: 'SendMessage', message: said('plugfest-parts n7', { parts }) });
        expect(task).toMatchObject({
          state: 'TASK_STATE_COMPLETED',
          artifacts: [
            {
              name: 'parts',
              contents: [
                { kind: 'raw', content: 'AAEC/w==' },
                { kind: 'url', content: 'https://example.com/a.txt' },
                { kind: 'data', content: { deep: [{ a: 1 }, 'b'] } },
              ],
            },
          ],
        });
      });

      check('push configs are made, read, listed and deleted, or the client is said to lack it', async () => {
        const taskId = await taskOf('plugfest-ask n');
        const push = { id: 'c1', url: `${webhook.url}/kept` };
        const [made] = await events({ op: 'CreateTaskPushNotificationConfig', taskId, push });
        expect(made).toMatchObject({ kind: 'pushConfig', taskId, url: push.url });
        const configId = String(made?.id);
        expect(await events({ op: 'GetTaskPushNotificationConfig', taskId, configId })).toEqual([made]);
        const listed = await drive({ op: 'ListTaskPushNotificationConfigs', taskId });
        const deleted = await drive({ op: 'DeleteTaskPushNotificationConfig', taskId, configId });
        for (const result of [listed, deleted])
          if (result.ok !== true) expect(result).toMatchObject({ error: { name: 'UnsupportedByClient' } });
        if (listed.ok === true) expect(listed.events).toEqual([made]);
        if (listed.ok === true && deleted.ok === true)
          // Some SDKs make null of an empty list: `a refusal is a result` of the contract tells which.
          expect((await events({ op: 'ListTaskPushNotificationConfigs', taskId })) ?? []).toEqual([]);
      });

      check('a webhook is called with its token', async () => {
        const path = `/token/${randomUUID()}`;
        const push = { url: webhook.url + path, token: 'token-of-the-webhook' };
        await events({ op: 'SendMessage', message: said('plugfest-echo n8'), configuration: { push } });
        const { headers } = await webhook.delivered(path, /completed/i);
        expect(Object.values(headers)).toContain('token-of-the-webhook');
      });

      check('a webhook is called with its credentials', async () => {
        const path = `/credentials/${randomUUID()}`;
        const authentication = { scheme: 'Bearer', credentials: 'credentials-of-the-webhook' };
        const push = { url: webhook.url + path, authentication };
        await events({ op: 'SendMessage', message: said('plugfest-echo n9'), configuration: { push } });
        const { headers } = await webhook.delivered(path, /completed/i);
        expect(headers.authorization).toBe('Bearer credentials-of-the-webhook');
      });

      if (kind.features.includes('listTasks') && dialect.version === '1.0')
        check('tasks are listed, with the token of the next page', async () => {
          const [task] = await events({ op: 'SendMessage', message: said('plugfest-echo n10') });
          const contextId = String(task?.contextId);
          await events({ op: 'SendMessage', message: said('plugfest-echo n11', { contextId }) });
          const page = await events({ op: 'ListTasks', contextId, pageSize: 1 });
          expect(page).toMatchObject([
            { kind: 'task', contextId },
            { kind: 'page', nextPageToken: expect.stringMatching(/./) },
          ]);
        });

      check('16 calls at once do not cross', async () => {
        const texts = Array.from({ length: 16 }, (_, index) => `n-${index}`);
        const seen = await Promise.all(
          texts.map((text) => events({ op: 'SendMessage', message: said(`plugfest-echo ${text}`) })),
        );
        expect(seen.map(([task]) => task?.text)).toEqual(texts);
      });
    });

  const others = (['1.0', '0.3'] as const).filter((version) => !kind.versions.includes(version));
  it.each(others)('%s, which its client does not speak, is said to be unsupported', async (version) => {
    const [dialect] = dialectsOf(kind);
    if (dialect === undefined) throw new Error('a kind without dialects');
    const result = await told(agent, kind, { ...dialect, version }, { op: 'GetTask', taskId: 't' });
    expect(result).toMatchObject({
      ok: false,
      error: { name: expect.stringMatching(/^(?:UnsupportedByClient|NoMatchingInterface)$/) },
    });
  });
}

function principals(kind: Kind): void {
  let agent: Running;
  beforeAll(async () => {
    agent = await Running.start(kind, ['--protocol', protocolOf(kind), '--auth', 'bearer'], tokens);
  }, 90_000);
  afterAll(() => agent?.[Symbol.asyncDispose]());

  for (const dialect of dialectsOf(kind)) {
    const check = checking(kind, label(dialect));
    const drive = (call: DriveCall, members: JsonObject = {}) =>
      told(agent, kind, dialect, call, members, 'token-of-alice');

    check(
      `${label(dialect)}: a call carries the token of whom it names, and none where it names nobody`,
      async () => {
        const call: DriveCall = { op: 'SendMessage', message: said('plugfest-echo n12') };
        expect(await drive(call, { as: 'bob' })).toMatchObject({ ok: true, events: [{ text: 'n12' }] });
        expect(await drive(call)).toMatchObject({ ok: false });
        expect(await drive(call, { as: 'mallory' })).toMatchObject({ ok: false });
      },
    );

    check(`${label(dialect)}: a task is its owner's alone`, async () => {
      const made = await drive({ op: 'SendMessage', message: said('plugfest-ask n') }, { as: 'bob' });
      const taskId = String((made.events as JsonObject[])[0]?.taskId);
      const read: DriveCall = { op: 'GetTask', taskId };
      expect(await drive(read, { as: 'bob' })).toMatchObject({ ok: true, events: [{ taskId }] });
      expect(await drive(read, { as: 'alice' })).toMatchObject({ ok: false });
    });
  }
}
