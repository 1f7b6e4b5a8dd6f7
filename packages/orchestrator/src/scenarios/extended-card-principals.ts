import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { toldBy } from '../scenario/raw-answer.ts';

export default defineScenario({
  id: 'extended-card-principals',
  title: 'Extended cards of two',
  summary: 'Each of two principals gets the extended card that is for it, and nothing that is for the other.',
  clients: 'raw',
  needs: ['extendedCard', 'auth', 'behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'GetExtendedAgentCard', min: 2 }],
  run: async (context: ScenarioContext) => {
    for (const principal of context.principals) {
      const answer = await context.probe.request('GetExtendedAgentCard', {}, context.credentials(principal));
      context.require(`the card of ${principal} comes`, answer.ok, toldBy(answer));
      // docs/lab-agents.md: the description of the skill `lab-extended` names who asks.
      context.check(
        `the card of ${principal} names it`,
        names(answer.text, principal),
        'its name is nowhere in it',
      );
      for (const other of context.principals)
        if (other !== principal)
          context.check(
            `the card of ${principal} does not name ${other}`,
            !names(answer.text, other),
            'it does',
          );
    }
  },
});

function names(text: string, principal: string): boolean {
  return new RegExp(`\\b${principal}\\b`).test(text);
}
