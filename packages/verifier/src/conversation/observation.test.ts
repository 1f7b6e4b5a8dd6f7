import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from '../examples/example.ts';
import { deliver, rpc, rpcStream, v1 } from '../examples/index.ts';
import type { More } from '../examples/protocol-objects.ts';
import { conversationOf } from '../testing/conversation.ts';

const get = (more: More = {}) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED', more) });
const observed = (...exchanges: readonly HttpExampleExchange[]) =>
  conversationOf(...exchanges).task('agent', 'task-1')?.observations ?? [];
const streamed = (...events: Parameters<typeof rpcStream>[0]['events']) =>
  observed(rpcStream({ method: 'SendStreamingMessage', params: { message: v1.message('hello') }, events }));

describe('a look at a task', () => {
  it('has what a Task says', () => {
    const history = [v1.message('hello'), v1.reply('Hi')];
    const [look] = observed(get({ history }));
    expect(look).toMatchObject({
      ...{ channel: 'get', kind: 'task', side: 'response', pointer: '/result', event: undefined },
      ...{ webhook: undefined, version: '1.0', binding: 'JSONRPC', seq: 0, atNs: 0.1e9 },
      ...{ state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:09.000Z', contextId: 'ctx-1' },
      ...{ append: false, lastChunk: false, statusMessage: undefined },
      ...{ historyLength: 2, lastMessageId: 'r-hi' },
      artifacts: [
        { artifactId: 'artifact-1', name: 'out', parts: [{ kind: 'text', text: 'answer' }], metadata: [] },
      ],
    });
  });

  it('tells what is absent from what is empty', () => {
    const bare = { artifacts: undefined, history: undefined, contextId: undefined };
    expect(observed(get(bare))[0]).toMatchObject({
      ...{ artifacts: undefined, historyLength: undefined, lastMessageId: undefined, contextId: undefined },
    });
    expect(observed(get({ artifacts: [], history: [] }))[0]).toMatchObject({
      ...{ artifacts: [], historyLength: 0, lastMessageId: undefined },
    });
  });

  it('has what the message of its status says of itself', () => {
    const message = v1.reply('Done', { taskId: 'task-2', contextId: 'ctx-2' });
    const [task] = observed(get({ status: v1.status('COMPLETED', { message }) }));
    expect(task?.statusMessage).toEqual({ role: 'ROLE_AGENT', taskId: 'task-2', contextId: 'ctx-2' });
    const [update] = streamed(v1.statusUpdate('COMPLETED', { status: v1.status('COMPLETED', { message }) }));
    expect(update?.statusMessage).toEqual(task?.statusMessage);
  });

  it('has what updates say, in the order of the events', () => {
    const [status, artifact, part] = streamed(
      v1.statusUpdate('WORKING'),
      v1.artifactUpdate('one'),
      v1.artifactUpdate('two', { append: true, lastChunk: undefined }),
    );
    expect(status).toMatchObject({
      ...{
        channel: 'stream',
        kind: 'statusUpdate',
        event: 0,
        state: 'TASK_STATE_WORKING',
        contextId: 'ctx-1',
      },
      ...{ artifacts: undefined, append: false, lastChunk: false, historyLength: undefined },
    });
    expect(artifact).toMatchObject({
      ...{ kind: 'artifactUpdate', event: 1, state: undefined, timestamp: undefined, contextId: 'ctx-1' },
      ...{ append: false, lastChunk: true, statusMessage: undefined, lastMessageId: undefined },
      artifacts: [{ artifactId: 'artifact-1', parts: [{ text: 'one' }] }],
    });
    expect(part).toMatchObject({ event: 2, append: true, lastChunk: false });
  });

  it('has no artifact where an update of one brought none', () => {
    const [look] = streamed(v1.artifactUpdate('one', { artifact: undefined }));
    expect(look?.artifacts).toEqual([]);
  });

  it('names the webhook that it was delivered to', () => {
    expect(observed(deliver(v1.statusUpdate('WORKING')))[0]).toMatchObject({
      ...{ channel: 'webhook', webhook: 'hook.example/push', side: 'request', pointer: '/statusUpdate' },
    });
  });
});
