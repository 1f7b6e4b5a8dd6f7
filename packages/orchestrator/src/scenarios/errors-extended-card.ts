import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { toldBy } from '../scenario/raw-answer.ts';

export default defineScenario({
  id: 'errors-extended-card',
  title: 'No extended card',
  summary: 'An agent whose card declares no extended one refuses to give it.',
  clients: 'raw',
  // 0.3 names no error for it.
  versions: ['1.0'],
  applies: ({ extendedCard }) => !extendedCard,
  needs: [],
  hops: [{ from: 'client', to: 'server', operation: 'GetExtendedAgentCard', min: 1 }],
  run: async (context: ScenarioContext) => {
    const answer = await context.probe.request('GetExtendedAgentCard', {});
    // A2A 1.0 sections 3.1.11 and 3.3.4.
    context.check(
      'the error is UnsupportedOperationError',
      answer.errorName === 'UnsupportedOperationError',
      toldBy(answer),
    );
  },
});
