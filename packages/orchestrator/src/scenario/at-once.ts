import { ClientLacks, type DriveResult } from '../driver/drive.ts';
import type { Calls, ScenarioContext } from './context.ts';
import { crossings, type Sent } from './crossing.ts';

/** Calls over which many sends are spread; undefined where that way is not open to the client. */
export type Way = () => Promise<Calls | undefined>;

/** A way that is open, and whether streams go over it. */
export interface OpenWay {
  readonly calls: Calls;
  readonly streams: boolean;
}

/**
 * The ways that work: one send and one stream go over each first, so that what a dialect lacks or garbles by itself,
 * which its own cells tell, is not taken for a matter of many at once.
 */
export async function openWays(
  context: ScenarioContext,
  ways: readonly Way[],
  streaming: boolean,
): Promise<readonly OpenWay[]> {
  const open: OpenWay[] = [];
  for (const way of ways) {
    try {
      const calls = await way();
      if (!calls || !(await works(context, (text) => calls.send({ text })))) continue;
      open.push({ calls, streams: streaming && (await works(context, (text) => calls.stream({ text }))) });
    } catch (error) {
      if (!(error instanceof ClientLacks)) throw error;
    }
  }
  return open;
}

async function works(
  context: ScenarioContext,
  send: (text: string) => Promise<DriveResult>,
): Promise<boolean> {
  const nonce = context.nonce();
  const result = await send(`plugfest-echo ${nonce}`);
  return result.ok && crossings([{ nonce, result }]).length === 0;
}

/** Half of them wait for the answer, half of them stream where that works; odd ones take their time. */
export async function sendMany(
  context: ScenarioContext,
  ways: readonly OpenWay[],
  count: number,
): Promise<readonly Sent[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index): Promise<Sent> => {
      const nonce = context.nonce();
      const text = index % 2 === 0 ? `plugfest-echo ${nonce}` : `plugfest-slow 300 ${nonce}`;
      // Pairs of a quick and a slow one go over the same way, and each way has streams and others.
      const way = ways[Math.floor(index / 4) % ways.length];
      if (!way) throw new Error('many sends need a way');
      const { calls, streams } = way;
      const result = await (streams && index % 4 >= 2 ? calls.stream({ text }) : calls.send({ text }));
      return { nonce, result };
    }),
  );
}
