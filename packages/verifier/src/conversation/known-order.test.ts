import { decodeExchange } from '@plugfest/a2a';
import type { CapturedExchange } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import { rpc, rpcStream, v1 } from '../examples/index.ts';
import type { TaskHistory, TaskObservation } from '../subjects.ts';
import { captured, secondNs } from '../testing/captured.ts';
import { inKnownOrder } from './known-order.ts';

const stream = rpcStream({
  method: 'SendStreamingMessage',
  params: { message: v1.message('hello') },
  events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
});
const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });

/** The stream runs for two and a half seconds; its source does not say when its events came. */
function states(exchanges: readonly CapturedExchange[]): unknown {
  const conversation = new Conversation();
  for (const exchange of exchanges) conversation.add(decodeExchange(exchange));
  const [task] = [...conversation.tasks()];
  return task?.observations.map(({ channel, state }) => `${channel} ${state?.slice(11)}`);
}

function longStream(change: Partial<CapturedExchange>): readonly CapturedExchange[] {
  return captured([stream, get, get, get]).map((exchange, index) => {
    if (index !== 0 || exchange.response === undefined) return exchange;
    const chunks = exchange.response.body.chunks.map((chunk) => ({ ...chunk, atNs: 2.5 * secondNs }));
    const body = { ...exchange.response.body, chunks, endedAtNs: 2.5 * secondNs };
    return { ...exchange, response: { ...exchange.response, body }, ...change };
  });
}

it('leaves out a stream of unknown times where others saw the task meanwhile', () => {
  expect(states(longStream({ lost: ['chunk-times'] }))).toEqual([
    'get WORKING',
    'get WORKING',
    'get WORKING',
  ]);
});

it('keeps a stream whose times are known, and one that nothing overlaps', () => {
  const all = ['get WORKING', 'get WORKING', 'stream WORKING', 'stream COMPLETED', 'get WORKING'];
  expect(states(longStream({}))).toEqual(all);
  const alone = captured([stream, get]).map((exchange) => ({ ...exchange, lost: ['chunk-times' as const] }));
  expect(states(alone)).toEqual(['stream WORKING', 'stream COMPLETED', 'get WORKING']);
});

describe('a stream whose times are lost', () => {
  /** A look at the task: its exchange went out at one time, and it came at another. */
  const look = (id: string, startNs: number, atNs: number, more: Partial<TaskObservation> = {}) =>
    ({ exchange: { id, startNs }, atNs, event: undefined, ...more }) as TaskObservation;
  const streamed = (startNs: number, atNs: number, eventTimesLost = true) =>
    ({
      ...look('stream', startNs, atNs),
      event: 0,
      exchange: { id: 'stream', startNs, eventTimesLost },
    }) as TaskObservation;
  const kept = (...observations: readonly TaskObservation[]) =>
    inKnownOrder({ observations } as TaskHistory).observations.map(({ exchange: { id } }) => id);

  it('proves its order where nobody else was under way meanwhile', () => {
    expect(kept(streamed(10, 20), look('get', 5, 10))).toEqual(['stream', 'get']);
    expect(kept(streamed(10, 20), look('get', 20, 25))).toEqual(['stream', 'get']);
    expect(kept(streamed(10, 20), streamed(10, 20))).toEqual(['stream', 'stream']);
  });

  it('is left out where somebody was', () => {
    expect(kept(streamed(10, 20), look('get', 5, 11))).toEqual(['get']);
    expect(kept(streamed(10, 20), look('get', 19, 25))).toEqual(['get']);
    expect(kept(streamed(10, 20, false), look('get', 12, 15))).toEqual(['stream', 'get']);
  });

  it('loses nothing that is no event', () => {
    const answer = {
      exchange: { id: 'answer', startNs: 10, eventTimesLost: true },
    } as Partial<TaskObservation>;
    expect(kept(look('answer', 10, 20, answer), look('get', 12, 15))).toEqual(['answer', 'get']);
  });

  it('is the same task where nothing is left out', () => {
    for (const observations of [[look('get', 1, 2)], [streamed(10, 20), look('get', 30, 35)]]) {
      const task = { observations } as unknown as TaskHistory;
      expect(inKnownOrder(task)).toBe(task);
    }
  });
});
