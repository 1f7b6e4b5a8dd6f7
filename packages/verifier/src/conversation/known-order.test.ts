import { decodeExchange } from '@plugfest/a2a';
import type { CapturedExchange } from '@plugfest/model';
import { expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import { rpc, rpcStream, v1 } from '../examples/index.ts';
import { captured, secondNs } from '../testing/captured.ts';

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
