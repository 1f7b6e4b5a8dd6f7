import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkRefused } from '../scenario/expect.ts';

const notFound = { name: 'TaskNotFoundError', code: -32001 };

export default defineScenario({
  id: 'errors-unknown-task',
  title: 'Unknown task',
  summary: 'Getting, cancelling and continuing a task that never was is refused with TaskNotFoundError.',
  clients: 'any',
  needs: [],
  hops: [
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
    { from: 'client', to: 'server', operation: 'CancelTask', min: 1 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const taskId = `no-such-task-${context.random.hex(12)}`;
    checkRefused(context, 'GetTask', await context.call({ op: 'GetTask', taskId }), notFound);
    checkRefused(context, 'CancelTask', await context.call({ op: 'CancelTask', taskId }), notFound);
    checkRefused(context, 'SendMessage', await context.send({ text: context.nonce(), taskId }), notFound);
  },
});
