import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { choosesDialect, transportOf, transportTo } from '../scenario/delegation.ts';
import { clip, requireTask, short } from '../scenario/expect.ts';
import { checkInOrder } from '../scenario/tokens.ts';

export default defineScenario({
  id: 'chain-three',
  title: 'Chain of three',
  summary:
    'Plugfest → client → server → a third agent, of another SDK where the lab has one: each says its part, in order.',
  clients: 'agent',
  needs: ['behaviours'],
  applies: (server, dialect, { beyond }) => beyond.length > 0 && choosesDialect(server, dialect),
  hops: [
    { from: 'plugfest', to: 'client', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'server', to: 'other', operation: 'SendMessage', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const [third] = context.beyond;
    context.require('there is a third agent', third !== undefined, 'the server calls no other');
    const tokens = Array.from({ length: 5 }, () => context.nonce());
    const [before = '', down = '', end = '', up = '', after = ''] = tokens;
    const say = (response: string) => ({ step: 'return', response }) as const;
    const callThird = {
      step: 'call',
      transport: transportTo(third.dialects, context.dialect),
      agentCardUri: await third.url(),
      instruction: say(end),
      streaming: false,
    } as const;
    const callServer = {
      step: 'call',
      transport: transportOf(context.dialect),
      agentCardUri: await context.serverUrl(),
      instruction: { step: 'series', instructions: [say(down), callThird, say(up)] },
      streaming: false,
    } as const;
    const told = await context.instruct({
      step: 'series',
      instructions: [say(before), callServer, say(after)],
    });
    const task = requireTask(context, 'the chain', told);
    context.check(
      'the chain is COMPLETED',
      task.state === 'TASK_STATE_COMPLETED',
      `it is ${short(task.state)}: ${clip(task.text)}`,
    );
    checkInOrder(context, `through ${third.name}`, tokens, task.text);
  },
});
