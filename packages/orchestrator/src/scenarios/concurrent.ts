import { openWays, sendMany, type Way } from '../scenario/at-once.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { crossings, type Sent } from '../scenario/crossing.ts';
import { defineScenario } from '../scenario/define.ts';
import { errorText } from '../scenario/expect.ts';

const atOnce = 64;

export default defineScenario({
  id: 'concurrent',
  title: '64 at once',
  summary:
    'Sixty-four sends at once in each direction, over all bindings and for all principals: none gets what belongs to another.',
  clients: 'any',
  needs: ['behaviours'],
  // One cell has all dialects of the pair.
  applies: (_server, dialect, { dialects }) => dialect === dialects[0],
  mixed: true,
  alone: true,
  timeoutMs: 120_000,
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: atOnce / 2 },
    // Where the client refuses the server, that is what comes back.
    { from: 'server', to: 'client', operation: 'SendMessage', min: 1, whenTold: true },
  ],
  run: async (context: ScenarioContext) => {
    const principals = context.principals.length > 0 ? context.principals : [undefined];
    const there: readonly Way[] = context.dialects.flatMap((dialect) =>
      principals.map((as) => () => context.over(dialect, as === undefined ? {} : { as })),
    );
    const back: readonly Way[] = context.reverseDialects.map((dialect) => () => context.reverse(dialect));
    const { streaming } = context.capabilities;
    const forward = await openWays(context, there, streaming);
    const backward = await openWays(context, back, streaming);
    context.require('one send gets through', forward.length > 0, 'none does, in no dialect');
    const [sent, returned] = await Promise.all([
      sendMany(context, forward, atOnce),
      backward.length > 0 ? sendMany(context, backward, atOnce) : undefined,
    ]);
    judge(context, `${context.client} to ${context.server}`, sent);
    if (returned) judge(context, `${context.server} to ${context.client}`, returned);
    // Also what crossed from one direction into the other.
    const found = crossings([...sent, ...(returned ?? [])]);
    context.check(
      'nothing crosses between tasks, contexts, callers or directions',
      found.length === 0,
      `${found.length} mix-ups; the first: ${found[0] ?? ''}`,
    );
  },
});

function judge(context: ScenarioContext, direction: string, sent: readonly Sent[]): void {
  const failed = sent.filter(({ result }) => !result.ok);
  context.check(
    `all ${atOnce} sends from ${direction} succeed`,
    failed.length === 0,
    `${failed.length} failed; the first with ${errorText(failed[0]?.result.error)}`,
  );
  const found = crossings(sent);
  context.check(
    `nothing crosses from ${direction}`,
    found.length === 0,
    `${found.length} mix-ups; the first: ${found[0] ?? ''}`,
  );
}
