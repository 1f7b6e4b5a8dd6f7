import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, endsInOrder, requireOk, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'resilience-sse-syntax',
  title: 'SSE syntax',
  summary:
    'The events of a stream come with comments, id, event and retry, and their data on two lines; the client reads the same.',
  clients: 'any',
  bindings: ['JSONRPC', 'HTTP+JSON'],
  needs: ['streaming', 'behaviours'],
  faults: true,
  hops: [{ from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const nonce = context.nonce();
    const fault = context.fault({ fault: 'sse-syntax', operation: 'SendStreamingMessage' });
    const result = await context.stream({ text: `plugfest-echo ${nonce}` });
    context.require('the events were dressed up', fault.applied() === 1, 'no stream came');
    requireOk(context, 'SendStreamingMessage', result);
    const view = viewStream(result.events);
    context.check(
      'the client hears of one task',
      view.taskIds.size === 1,
      [...view.taskIds].join(', ') || 'no task',
    );
    checkState(context, 'the last state', view.lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_COMPLETED');
    const texts = [...view.artifacts.values()];
    context.check(
      'the artifact arrives',
      texts.length === 1 && texts[0] === nonce,
      clip(texts.join(' | ')) || 'no artifact',
    );
    context.check(
      'the server closes the stream',
      endsInOrder(view),
      `closed by ${view.closedBy ?? 'nobody'}`,
    );
  },
});
