import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { errorText } from '../scenario/expect.ts';

export default defineScenario({
  id: 'resilience-stale-card',
  title: 'Stale card',
  summary:
    'The card leads to where the agent is no longer; the client says so, and finds it by a fresh card.',
  clients: 'agent',
  needs: [],
  faults: true,
  hops: [
    { from: 'client', to: 'server', operation: 'card', min: 2 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const fault = context.fault({
      fault: 'stale-card',
      interfacePath: '/plugfest-moved-away',
      ageSeconds: 86_400,
    });
    const misled = await context.send({ text: `plugfest-echo ${context.nonce()}` });
    context.require('the card was stale', fault.applied() > 0, 'the client fetched no card');
    context.check('the client says that the call failed', !misled.ok, 'it says that it succeeded');
    fault.stop();
    const next = await context.send({ text: `plugfest-echo ${context.nonce()}` });
    context.check('a call after a fresh card succeeds', next.ok, errorText(next.error));
  },
});
