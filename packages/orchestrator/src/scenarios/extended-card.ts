import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { describe, requireOk } from '../scenario/expect.ts';

const extraSkill = 'lab-extended';

export default defineScenario({
  id: 'extended-card',
  title: 'Extended card',
  summary:
    'Who calls with credentials gets the extended card with one more skill, and who calls without is refused.',
  clients: 'any',
  needs: ['extendedCard', 'auth', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'card', min: 1 },
    { from: 'client', to: 'server', operation: 'GetExtendedAgentCard', min: 2 },
  ],
  run: async (context: ScenarioContext) => {
    const skillsOf = async (
      what: string,
      calls: Pick<ScenarioContext, 'call'>,
      op: 'GetAgentCard' | 'GetExtendedAgentCard',
    ) => {
      const result = await calls.call({ op });
      requireOk(context, what, result);
      const [card] = result.events;
      context.require(`${what} is a card`, card?.kind === 'card', `it is ${describe(card)}`);
      return card.skills;
    };
    const open = await skillsOf('the public card', context, 'GetAgentCard');
    context.check('the public card does not have the skill', !open.includes(extraSkill), open.join(', '));
    for (const principal of context.principals) {
      const what = `the extended card of ${principal}`;
      const skills = await skillsOf(what, context.with({ as: principal }), 'GetExtendedAgentCard');
      context.check(`${what} has the skill`, skills.includes(extraSkill), skills.join(', ') || 'no skills');
      context.check(
        `${what} has the public skills, too`,
        open.every((skill) => skills.includes(skill)),
        skills.join(', ') || 'no skills',
      );
    }
    const refused = await context.probing.with({ as: 'nobody' }).call({ op: 'GetExtendedAgentCard' });
    context.check('without credentials it is refused', !refused.ok, `it was ${describe(refused.events[0])}`);
  },
});
