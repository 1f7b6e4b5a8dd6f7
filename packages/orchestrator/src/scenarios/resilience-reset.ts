import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { errorText, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'resilience-reset',
  title: 'Reset',
  summary:
    'The network resets a call before its answer; the client says that it failed, and its next call works.',
  clients: 'any',
  needs: [],
  faults: true,
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    const fault = context.fault({ fault: 'reset', operation: 'SendMessage' });
    const lost = await context.send({ text: `plugfest-echo ${context.nonce()}` });
    context.require('the call was reset', fault.applied() > 0, 'no call came');
    context.check('the client says that the call failed', !lost.ok, 'it says that it succeeded');
    fault.stop();
    const next = await context.send({ text: `plugfest-echo ${context.nonce()}` });
    context.check('the next call succeeds', next.ok, errorText(next.error));
    if (context.behaviours) requireTask(context, 'SendMessage', next);
  },
});
