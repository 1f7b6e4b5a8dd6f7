import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { errorText } from '../scenario/expect.ts';

export default defineScenario({
  id: 'resilience-malformed-json',
  title: 'Malformed answer',
  summary: 'The answer to a call is no JSON; the client says that it failed, and its next call works.',
  clients: 'any',
  // Over gRPC there is no JSON to break.
  bindings: ['JSONRPC', 'HTTP+JSON'],
  needs: [],
  faults: true,
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    const fault = context.fault({ fault: 'malformed-json', operation: 'SendMessage' });
    const broken = await context.send({ text: `plugfest-echo ${context.nonce()}` });
    context.require('the answer was broken', fault.applied() > 0, 'no answer came');
    context.check('the client says that the call failed', !broken.ok, 'it says that it succeeded');
    fault.stop();
    const next = await context.send({ text: `plugfest-echo ${context.nonce()}` });
    context.check('the next call succeeds', next.ok, errorText(next.error));
  },
});
