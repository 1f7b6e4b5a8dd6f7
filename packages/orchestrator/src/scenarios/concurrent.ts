import type { Calls, ScenarioContext } from '../scenario/context.ts';
import { crossings, type Sent } from '../scenario/crossing.ts';
import { defineScenario } from '../scenario/define.ts';
import { errorText } from '../scenario/expect.ts';

const atOnce = 16;

export default defineScenario({
  id: 'concurrent',
  title: '16 at once',
  summary: 'Sixteen sends at once in each direction, at the same time: none gets what belongs to another.',
  clients: 'any',
  needs: ['behaviours'],
  alone: true,
  timeoutMs: 60_000,
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 8 },
    { from: 'server', to: 'client', operation: 'SendMessage', min: 8, whenTold: true },
  ],
  run: async (context: ScenarioContext) => {
    const back = await context.reverse();
    const there = `${context.client} to ${context.server}`;
    const [forward, backward] = await Promise.all([
      sendMany(context, context),
      back ? sendMany(context, back) : undefined,
    ]);
    judge(context, there, forward);
    if (backward) judge(context, `${context.server} to ${context.client}`, backward);
  },
});

/** Half of them wait for the answer, half of them stream where the server can; odd ones take their time. */
async function sendMany(context: ScenarioContext, calls: Calls): Promise<readonly Sent[]> {
  return Promise.all(
    Array.from({ length: atOnce }, async (_, index): Promise<Sent> => {
      const nonce = context.nonce();
      const text = index % 2 === 0 ? `plugfest-echo ${nonce}` : `plugfest-slow 300 ${nonce}`;
      const streams = context.capabilities.streaming && index % 4 >= 2;
      const result = await (streams ? calls.stream({ text }) : calls.send({ text }));
      return { nonce, result };
    }),
  );
}

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
