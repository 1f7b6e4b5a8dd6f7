import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { choosesDialect, transportOf } from '../scenario/delegation.ts';
import { checkState, clip, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'chain',
  title: 'Chain',
  summary:
    'Plugfest → client → server with steps before, in and after the call: the tokens come back in order.',
  clients: 'agent',
  needs: ['behaviours'],
  applies: choosesDialect,
  hops: [
    { from: 'plugfest', to: 'client', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const tokens = Array.from({ length: 4 }, () => context.nonce());
    const [before = '', first = '', second = '', after = ''] = tokens;
    const say = (response: string) => ({ step: 'return', response }) as const;
    const task = requireTask(
      context,
      'the chain',
      await context.instruct({
        step: 'series',
        instructions: [
          say(before),
          {
            step: 'call',
            transport: transportOf(context.dialect),
            agentCardUri: await context.serverUrl(),
            instruction: { step: 'series', instructions: [say(first), say(second)] },
            streaming: false,
          },
          say(after),
        ],
      }),
    );
    checkState(context, 'the task of the chain', task.state, 'TASK_STATE_COMPLETED');
    const places = tokens.map((token) => task.text.indexOf(token));
    context.check(
      'every token comes back',
      places.every((place) => place >= 0),
      clip(task.text) || 'no text',
    );
    context.check(
      'the tokens come back in order',
      places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1)),
      clip(task.text),
    );
  },
});
