import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { choosesDialect, transportOf, transportTo } from '../scenario/delegation.ts';
import { clip, requireTask, short } from '../scenario/expect.ts';
import { checkInOrder } from '../scenario/tokens.ts';

/** Beside the server: what more agents would add is time. */
const mostOthers = 3;

export default defineScenario({
  id: 'fan-out',
  title: 'Fan-out',
  summary:
    'The client calls the server and up to three further agents, each for two words, and puts all of them together.',
  clients: 'agent',
  needs: ['behaviours'],
  applies: (server, dialect, { beside }) => beside.length > 0 && choosesDialect(server, dialect),
  hops: [
    { from: 'plugfest', to: 'client', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'other', operation: 'SendMessage', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const others = context.beside.slice(0, mostOthers);
    const callees = [
      { url: context.serverUrl, transport: transportOf(context.dialect) },
      ...others.map(({ dialects, url }) => ({ url, transport: transportTo(dialects, context.dialect) })),
    ];
    const tokens: string[] = [];
    const calls = await Promise.all(
      callees.map(async ({ url, transport }) => {
        const words = [context.nonce(), context.nonce()];
        tokens.push(...words);
        const instructions = words.map((response) => ({ step: 'return', response }) as const);
        const instruction = { step: 'series', instructions } as const;
        return { step: 'call', transport, agentCardUri: await url(), instruction, streaming: false } as const;
      }),
    );
    const told = await context.instruct({ step: 'series', instructions: calls });
    const task = requireTask(context, 'the fan-out', told);
    context.check(
      'the fan-out is COMPLETED',
      task.state === 'TASK_STATE_COMPLETED',
      `it is ${short(task.state)}: ${clip(task.text)}`,
    );
    checkInOrder(context, `of all ${callees.length} agents`, tokens, task.text);
  },
});
