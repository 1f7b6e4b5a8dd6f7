import type { DriveEvent } from '../driver/drive.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireOk, requireTask, viewStream } from '../scenario/expect.ts';

/** Events of which none says the same as the one before it. */
const withoutRepeats = (events: readonly DriveEvent[]): readonly DriveEvent[] =>
  events.filter((event, i) => i === 0 || JSON.stringify(event) !== JSON.stringify(events[i - 1]));

export default defineScenario({
  id: 'resilience-duplicate-event',
  title: 'Duplicate event',
  summary:
    'Each event of a stream comes twice, which A2A has no mark for: the client tells what came, makes nothing else of it, and learns from GetTask what is true.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  faults: true,
  hops: [{ from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const fault = context.fault({ fault: 'duplicate-message', operation: 'SendStreamingMessage' });
    const text = context.nonce();
    const result = await context.stream({ text: `plugfest-echo ${text}` });
    context.require('events were duplicated', fault.applied() === 1, 'no stream came');
    requireOk(context, 'SendStreamingMessage', result);
    fault.stop();
    // Chunks have no id: a client may pass on both, or see that they are the same. It may not make one event of two.
    const view = viewStream(withoutRepeats(result.events));
    context.check('the stream is about one task', view.taskIds.size === 1, `${view.taskIds.size} task ids`);
    checkState(context, 'the last state', view.lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_COMPLETED');
    const heard = [...view.artifacts.values()];
    context.check(
      'what the events say is not doubled in any of them',
      heard.length === 1 && heard[0] === text,
      clip(heard.join(' | ')),
    );
    const { taskId = '' } = view;
    const task = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    const kept = task.artifacts.map((artifact) => artifact.text);
    context.check(
      'the task has the text once',
      kept.length === 1 && kept[0] === text,
      clip(kept.join(' | ')),
    );
  },
});
