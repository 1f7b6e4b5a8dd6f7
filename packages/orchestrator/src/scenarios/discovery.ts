import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireOk } from '../scenario/expect.ts';

export default defineScenario({
  id: 'discovery',
  title: 'Discovery',
  summary: "The client fetches the server's card by the well-known path and finds the dialect in it.",
  clients: 'any',
  versions: ['1.0', '0.3', '0.1'],
  needs: [],
  hops: [{ from: 'client', to: 'server', operation: 'card', min: 1 }],
  run: async (context: ScenarioContext) => {
    const result = await context.call({ op: 'GetAgentCard' });
    requireOk(context, 'GetAgentCard', result);
    const [card] = result.events;
    context.require(
      'the client understands the card',
      card?.kind === 'card',
      `it saw ${card?.kind ?? 'nothing'}`,
    );
    context.check('the card names the agent', card.name !== '', 'the name is empty');
    const { binding, version } = context.dialect;
    const list = (values: readonly string[]) => (values.length > 0 ? values.join(', ') : 'none');
    context.check(
      `the client sees the binding ${binding}`,
      card.bindings.includes(binding),
      list(card.bindings),
    );
    context.check(
      `the client sees the version ${version}`,
      card.versions.some((seen) => seen === version || seen.startsWith(`${version}.`)),
      list(card.versions),
    );
  },
});
