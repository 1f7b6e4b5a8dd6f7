import type { CardView } from '@plugfest/a2a';
import type { CardAnswer } from '../client/card.ts';
import { fetchCard } from '../client/connect.ts';
import type { HttpClient } from '../client/http.ts';
import type { Address } from '../client/raw-client.ts';
import type { Clock } from '../clock.ts';
import { type Dialect, DriveFailure } from '../driver/drive.ts';
import { RawDriver } from '../driver/raw-driver.ts';
import { errorText } from '../scenario/expect.ts';
import type { Random } from '../seeded.ts';
import type { StartedAgent } from './start.ts';

export interface PrepareOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** For the card to come, and for the first send. */
  readonly waitMs: number;
}

export interface Prepared {
  readonly card?: CardView;
  readonly dialects: readonly Dialect[];
  /** Why the agent cannot be used, one sentence without its name. */
  readonly problem?: string;
  /** What the first send came to. `strange`: an answer, but not to what was asked. */
  readonly firstSend: 'echo' | 'strange' | 'failed' | 'not-sent';
  readonly note?: string;
}

/**
 * Waits for a cold agent: polls its card with growing waits while it may still come up, then sends one message. The
 * message is a canary, too: an agent that answers something else than what it was told is no lab agent.
 */
export async function prepareAgent(
  agent: StartedAgent,
  address: Address,
  options: PrepareOptions,
): Promise<Prepared> {
  const answer = await awaitCard(agent, address, options);
  if (answer.kind !== 'card') return { dialects: [], problem: answer.reason, firstSend: 'not-sent' };
  const { card, dialects } = answer;
  const [dialect] = dialects;
  if (!dialect) throw new Error('a card answer has at least one dialect');
  // Who knows `tasks/send` only is sent nothing of today.
  if (dialect.version === '0.1') return { card, dialects, firstSend: 'not-sent' };
  return { card, dialects, ...(await firstSend(agent, address, dialect, options)) };
}

async function awaitCard(
  agent: StartedAgent,
  address: Address,
  { http, clock, random, signal, waitMs }: PrepareOptions,
): Promise<CardAnswer> {
  const endMs = clock.nowMs() + waitMs;
  let pauseMs = 50;
  for (;;) {
    const left = endMs - clock.nowMs();
    const attempt = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1000, Math.ceil(left)))]);
    const answer = await fetchCard(http, address, attempt).catch((error: unknown): CardAnswer => {
      signal.throwIfAborted();
      if (attempt.aborted)
        return { kind: 'unreachable', reason: `its card does not come within ${waitMs} ms` };
      throw error;
    });
    const exit = agent.exit();
    if (exit) return { kind: 'unreachable', reason: `it has ended (${exit.how})` };
    // What a server says while it is still coming up; anything else is its last word.
    const mayCome = answer.kind === 'unreachable' || answer.kind === 'http-status';
    if (!mayCome || clock.nowMs() + pauseMs > endMs) return answer;
    await clock.sleep(pauseMs * (0.75 + random.next() / 2), signal);
    pauseMs = Math.min(1000, pauseMs * 2);
  }
}

async function firstSend(
  agent: StartedAgent,
  address: Address,
  dialect: Dialect,
  { http, random, signal, waitMs }: PrepareOptions,
): Promise<Pick<Prepared, 'firstSend' | 'note'>> {
  const nonce = `canary-${random.hex(12)}`;
  const bound = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  const message = { messageId: `m-${random.hex(16)}`, text: `plugfest-echo ${nonce}` };
  const failed = (why: string) =>
    ({ firstSend: 'failed', note: `The first send to ${agent.name} failed: ${why}.` }) as const;
  try {
    const result = await new RawDriver(http, address, dialect).call({ op: 'SendMessage', message }, bound);
    if (!result.ok) return failed(errorText(result.error));
    const [event] = result.events;
    return { firstSend: event?.kind === 'task' && event.text === nonce ? 'echo' : 'strange' };
  } catch (error) {
    signal.throwIfAborted();
    if (bound.aborted) return failed(`no answer within ${waitMs} ms`);
    if (error instanceof DriveFailure) return failed(error.message);
    throw error;
  }
}
