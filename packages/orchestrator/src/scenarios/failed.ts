import { defineScenario } from '../scenario/define.ts';
import { checkEnding } from '../scenario/ending.ts';

export default defineScenario({
  id: 'failed',
  title: 'Failed',
  summary: 'A task whose work fails is told as FAILED, with the reason.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 1 }],
  run: (context) => checkEnding(context, 'tck-task-failure', 'TASK_STATE_FAILED', 'failed on request'),
});
