import type { DecodedExchange } from '@plugfest/a2a';
import type { CapturedExchange } from '@plugfest/model';
import { expect, it } from 'vitest';
import { rpc, rpcStream, unanswered, v1 } from './examples/index.ts';
import { streamOf } from './stream-of.ts';
import type { SpokenExchange } from './subjects.ts';
import { decodedOne } from './testing/conversation.ts';
import { unreadSides } from './unread.ts';

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const stream = rpcStream({
  method: 'SendStreamingMessage',
  params: { message: v1.message('hello') },
  events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
});

type Body = CapturedExchange['request']['body'];
/** Only so many bytes were stored of a body. */
function cut(body: Body, bytes: number): Body {
  const chunks = body.chunks.map((chunk) => ({ ...chunk, bytes: chunk.bytes.subarray(0, bytes) }));
  return { ...body, chunks, storedBytes: bytes };
}
const withoutRequest = ({ request, ...rest }: CapturedExchange): CapturedExchange => ({
  ...rest,
  request: { ...request, body: cut(request.body, 9) },
});
const withoutResponse = (exchange: CapturedExchange): CapturedExchange =>
  exchange.response === undefined
    ? exchange
    : { ...exchange, response: { ...exchange.response, body: cut(exchange.response.body, 60) } };

it('tells which sides of an exchange were not read whole', () => {
  const sides = (exchange: typeof get, change?: (captured: CapturedExchange) => CapturedExchange) =>
    unreadSides(decodedOne(exchange, {}, change));
  expect([sides(get), sides(stream), sides(unanswered(get))]).toEqual([undefined, undefined, undefined]);
  expect(sides(get, withoutRequest)).toEqual({ request: true, response: false });
  expect(sides(get, withoutResponse)).toEqual({ request: false, response: true });
  expect(sides(get, (each) => withoutRequest(withoutResponse(each)))).toEqual({
    request: true,
    response: true,
  });
  expect(sides(stream, withoutResponse)).toEqual({ request: false, response: true });
  expect(sides(unanswered(get), withoutRequest)).toEqual({ request: true, response: false });
});

it('takes what is larger than Plugfest reads for unread', () => {
  const exchange = decodedOne(stream);
  const { request, response } = exchange;
  if (response === undefined) throw new Error('no response');
  const large = <Side extends { readonly json: object }>(side: Side) => ({
    ...side,
    json: { ...side.json, state: 'too-large' as const },
  });
  const events = response.events?.map((event, i) => (i === 1 ? large(event) : event));
  expect(unreadSides({ ...exchange, request: large(request) } as DecodedExchange)?.request).toBe(true);
  for (const changed of [large(response), { ...response, events }])
    expect(unreadSides({ ...exchange, response: changed } as DecodedExchange)).toEqual({
      request: false,
      response: true,
    });
});

it('takes a response for a stream where it is one, of an operation that streams', () => {
  const spoken = (exchange: typeof get) => decodedOne(exchange) as SpokenExchange;
  const found = streamOf(spoken(stream));
  expect(found).toMatchObject({ operation: 'SendStreamingMessage', complete: true });
  expect(found?.payloads.map(({ kind, side }) => [kind, side])).toEqual([
    ['task', 'response'],
    ['statusUpdate', 'response'],
  ]);
  const subscribed = rpcStream({
    method: 'SubscribeToTask',
    params: { id: 'task-1' },
    events: [{ task: v1.task('WORKING') }],
  });
  expect(streamOf(spoken(subscribed))?.operation).toBe('SubscribeToTask');
  const astray = rpcStream({
    method: 'GetTask',
    params: { id: 'task-1' },
    events: [{ task: v1.task('WORKING') }],
  });
  for (const none of [get, unanswered(stream), astray]) expect(streamOf(spoken(none))).toBeUndefined();
});
