import { decodeExchange } from '@plugfest/a2a';
import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import type { HttpExampleExchange } from './examples/example.ts';
import { deliver, getCard, rest, rpc, rpcStream, v1 } from './examples/index.ts';
import { captured, secondNs } from './testing/captured.ts';

function conversationOf(...exchanges: readonly HttpExampleExchange[]): Conversation {
  const conversation = new Conversation();
  for (const exchange of captured(exchanges)) conversation.add(decodeExchange(exchange));
  return conversation;
}

const send = rpc({
  method: 'SendMessage',
  params: { message: v1.message('hello') },
  result: { task: v1.task('WORKING') },
});
const get = (state: string, more = {}) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state), ...more });
const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const remove = rpc({
  method: 'DeleteTaskPushNotificationConfig',
  params: { taskId: 'task-1', id: 'config-1' },
  result: {},
});

describe('tasks of a conversation', () => {
  it('are seen over all channels, in order of arrival', () => {
    const stream = rpcStream({
      method: 'SendStreamingMessage',
      params: { message: v1.message('more', { taskId: 'task-1' }) },
      events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
    });
    const { observations, actions } =
      conversationOf(send, get('WORKING'), stream, deliver(v1.statusUpdate('COMPLETED'))).task(
        'agent',
        'task-1',
      ) ?? {};
    expect(observations?.map(({ channel, state, event }) => [channel, state, event])).toEqual([
      ['send', 'TASK_STATE_WORKING', undefined],
      ['get', 'TASK_STATE_WORKING', undefined],
      ['stream', 'TASK_STATE_WORKING', 0],
      ['stream', 'TASK_STATE_COMPLETED', 1],
      ['webhook', 'TASK_STATE_COMPLETED', undefined],
    ]);
    expect(observations?.at(-1)?.webhook).toBe('hook.example/push');
    expect(actions?.map(({ operation }) => operation)).toEqual(['GetTask', 'SendStreamingMessage']);
  });

  it('of one id are different tasks in different agents', () => {
    const conversation = conversationOf(send, get('COMPLETED', { to: 'another agent' }));
    expect(conversation.task('agent', 'task-1')?.observations).toHaveLength(1);
    expect(conversation.task('another agent', 'task-1')?.observations).toHaveLength(1);
  });

  it('are none where only a client has named them, until the agent does', () => {
    const refused = rpc({
      method: 'GetTask',
      params: { id: 'task-1' },
      error: { code: -32001, message: 'No such task' },
    });
    expect(conversationOf(refused).task('agent', 'task-1')).toBeUndefined();
    const { actions } = conversationOf(refused, send).task('agent', 'task-1') ?? {};
    expect(actions).toMatchObject([{ operation: 'GetTask', accepted: false }]);
  });

  it('keep an artifact that is shown again once', () => {
    const { observations } = conversationOf(get('COMPLETED'), get('COMPLETED')).task('agent', 'task-1') ?? {};
    expect(observations?.[0]?.artifacts).toMatchObject([{ artifactId: 'artifact-1' }]);
    expect(observations?.[1]?.artifacts).toBe(observations?.[0]?.artifacts);
  });

  it('show the same artifact whatever the order of its members', () => {
    const shown = (data: Readonly<Record<string, number>>) =>
      get('COMPLETED', {
        result: v1.task('COMPLETED', { artifacts: [v1.artifact('', { parts: [{ data }] })] }),
      });
    const { observations } =
      conversationOf(shown({ a: 1, b: 2 }), shown({ b: 2, a: 1 }), shown({ a: 2, b: 1 })).task(
        'agent',
        'task-1',
      ) ?? {};
    expect(observations?.[1]?.artifacts).toBe(observations?.[0]?.artifacts);
    expect(observations?.[2]?.artifacts).not.toEqual(observations?.[0]?.artifacts);
  });

  it('keep no bodies and no heads', () => {
    const secret = 'x'.repeat(10_000);
    const result = v1.task('COMPLETED', { artifacts: [v1.artifact(secret)], metadata: { note: secret } });
    const conversation = conversationOf(get('COMPLETED', { result, headers: { 'X-Long': secret } }));
    expect(JSON.stringify([...conversation.tasks()])).not.toContain('xxxxx');
  });
});

describe('contexts of a conversation', () => {
  it('know who named them first, and their tasks in order', () => {
    const named = rpc({
      method: 'SendMessage',
      params: { message: v1.message('again', { contextId: 'ctx-1' }) },
      result: { task: v1.task('WORKING', { id: 'task-2' }) },
    });
    const context = conversationOf(send, named, get('WORKING')).context('agent', 'ctx-1');
    expect(context?.taskIds).toEqual(['task-1', 'task-2']);
    expect(context?.firstFromServer?.exchange.id).toBe('x0');
    expect(context?.firstFromClient?.exchange.id).toBe('x1');
  });
});

describe('cards of a conversation', () => {
  it('are kept once, however often they are fetched', () => {
    const conversation = conversationOf(...Array.from({ length: 20 }, () => getCard(v1.card())));
    expect(conversation.cards('agent')).toHaveLength(1);
    expect(conversation.cards('agent')[0]?.exchange.id).toBe('x0');
  });

  it('are one view for all callers and places that show the same', () => {
    const [first, second] = conversationOf(
      getCard(v1.card()),
      getCard(v1.card(), { from: 'another client' }),
    ).cards('agent');
    expect([first?.caller, second?.caller]).toEqual(['client', 'another client']);
    expect(second?.card).toBe(first?.card);
  });

  it('are listed in order of their last fetch', () => {
    const other = getCard(v1.card({ name: 'Other' }));
    const names = (...exchanges: readonly HttpExampleExchange[]) =>
      conversationOf(...exchanges)
        .cards('agent')
        .map(({ card }) => card.name);
    expect(names(getCard(v1.card()), other)).toEqual(['Example agent', 'Other']);
    expect(names(getCard(v1.card()), other, getCard(v1.card()))).toEqual(['Other', 'Example agent']);
  });

  it('do not fill the memory where each fetch shows another one', () => {
    const many = Array.from({ length: 100 }, (_, i) => getCard(v1.card({ name: `Agent ${i}` })));
    const cards = conversationOf(...many).cards('agent');
    expect(cards).toHaveLength(64);
    expect(cards.at(-1)?.card.name).toBe('Agent 99');
  });

  it('tell what each caller did to find them', () => {
    const missed = getCard({}, { status: 404, url: 'https://agent.example/a2a/.well-known/agent-card.json' });
    const conversation = conversationOf(missed, getCard(v1.card(), { from: 'another client' }));
    expect([...conversation.discoveries()]).toMatchObject([
      { caller: 'client', found: false, called: false, refused: [{ status: 404 }] },
      { caller: 'another client', found: true, refused: [] },
    ]);
    expect([...conversationOf(missed, send).discoveries()]).toMatchObject([{ found: false, called: true }]);
  });

  it('give the base paths and the version that decide open dialects', () => {
    expect(conversationOf(getCard(v1.card()), send).peer('agent')).toEqual({
      version: '1.0',
      basePaths: ['/rest'],
    });
  });
});

describe('push configs of a conversation', () => {
  it('have the id that the server gave, and the times of their answer and deletion', () => {
    expect(conversationOf(create, remove).configsOf('agent', 'task-1')).toMatchObject([
      {
        id: 'config-1',
        accepted: true,
        mapped: false,
        answeredAtNs: 0.1 * secondNs,
        deletedAtNs: 1.1 * secondNs,
      },
    ]);
  });

  it('that came with a message belong to the task that it made', () => {
    const inline = rpc({
      method: 'SendMessage',
      params: {
        message: v1.message('hello'),
        configuration: { taskPushNotificationConfig: v1.pushConfig({ taskId: undefined }) },
      },
      result: { task: v1.task('WORKING') },
    });
    expect(conversationOf(inline).configsOf('agent', 'task-1')).toMatchObject([
      { inline: true, taskId: 'task-1' },
    ]);
  });

  it('are found for a delivery by task and URL, also where the delivery was first', () => {
    const [webhook] = conversationOf(deliver(v1.statusUpdate('WORKING')), create).webhooks();
    expect(webhook).toMatchObject({
      taskId: 'task-1',
      config: { id: 'config-1' },
      delivery: { method: 'POST', status: 200, body: { state: 'ok', members: ['statusUpdate'] } },
    });
    expect(webhook?.task?.observations).toHaveLength(1);
  });
});

describe('other traffic of a conversation', () => {
  it('tells who used a messageId first, by caller and agent', () => {
    const conversation = conversationOf(send, send);
    expect(conversation.firstUseOfMessage('client', 'agent', 'm-hello')).toBe('x0');
    expect(conversation.firstUseOfMessage('another client', 'agent', 'm-hello')).toBeUndefined();
  });

  it('tells at which paths a caller found nothing', () => {
    const conversation = conversationOf(
      rest({ verb: 'GET', path: '/tasks/task-1', status: 404, responseText: '' }),
    );
    expect([...conversation.missedPaths('client', 'agent')]).toEqual(['/rest/tasks/task-1']);
  });

  it('tells whether something was lost between two moments, both included', () => {
    const conversation = new Conversation([{ atNs: 50 }, { atNs: 10 }]);
    expect(conversation.gapBetween(0, 9)).toBe(false);
    expect(conversation.gapBetween(0, 10)).toBe(true);
    expect(conversation.gapBetween(10, 10)).toBe(true);
    expect(conversation.gapBetween(11, 49)).toBe(false);
    expect(conversation.gapBetween(11, 60)).toBe(true);
    expect(conversation.gapBetween(51, 60)).toBe(false);
    expect(new Conversation().gapBetween(0, Number.MAX_VALUE)).toBe(false);
  });
});
