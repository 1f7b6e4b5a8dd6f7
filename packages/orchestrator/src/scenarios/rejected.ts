import { defineScenario } from '../scenario/define.ts';
import { checkEnding } from '../scenario/ending.ts';

export default defineScenario({
  id: 'rejected',
  title: 'Rejected',
  summary: 'A task that the server rejects is told as REJECTED, with the reason.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 1 }],
  run: (context) => checkEnding(context, 'tck-reject-task', 'TASK_STATE_REJECTED', 'rejected'),
});
