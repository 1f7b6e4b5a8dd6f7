import { decodeExchange } from '@plugfest/a2a';
import { type CapturedExchange, type ExchangeId, header } from '@plugfest/model';
import { expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import { rpc, rpcStream, v1 } from '../examples/index.ts';
import { captured, secondNs } from '../testing/captured.ts';
import { conversationOf, conversationOfDecoded, decodedOne } from '../testing/conversation.ts';

const hop = (from: string, to: string, text = 'hello', more = {}) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message(text, { messageId: 'm-1' }) },
    result: { task: v1.task('WORKING') },
    headers: { traceparent: `of-${from}` },
    from,
    to,
    ...more,
  });

/** What the last of the exchanges hands on. */
function handedOn(...exchanges: ReturnType<typeof hop>[]) {
  const conversation = new Conversation();
  const decoded = captured(exchanges).map((exchange) => decodeExchange(exchange));
  const last = decoded.pop();
  for (const exchange of decoded) conversation.add(exchange);
  const before = last && conversation.handedOn(last);
  if (last !== undefined) conversation.add(last);
  return { before, relay: last && conversation.relayOf(last.captured.id) };
}

it('tells the hop on which a message came that is handed on, with its head and its answer', () => {
  const { before, relay } = handedOn(
    hop('client', 'middle', 'hello', { result: undefined, error: { code: -32603, message: 'No' } }),
    hop('middle', 'agent'),
  );
  expect(before).toMatchObject({ version: '1.0', a2aVersion: '1.0', exchange: { id: 'x0' } });
  expect(before?.error?.name).toBe('InternalError');
  expect(header(before?.headers ?? [], 'traceparent')).toBe('of-client');
  expect(before?.answeredAtNs).toBeGreaterThan(0);
  expect(relay).toEqual({ gateway: 'middle', first: 'x0', second: 'x1' });
});

it('takes nothing for handed on that was changed, sent back, or sent by somebody else', () => {
  for (const last of [hop('middle', 'agent', 'bye'), hop('middle', 'client'), hop('another', 'agent')])
    expect(handedOn(hop('client', 'middle'), last)).toEqual({ before: undefined, relay: undefined });
});

function messageOf(exchange: ReturnType<typeof hop>) {
  const sent = decodedOne(exchange).payloads.find(({ side }) => side === 'request');
  if (sent?.kind !== 'message') throw new Error('no message');
  return sent.message;
}

it("tells a caller's last use of a messageId, and whether it said the same then", () => {
  const conversation = conversationOf(hop('a', 'x'), hop('a', 'y', 'bye'), hop('b', 'x'));
  const lastOf = (caller: string, text: string) =>
    conversation.lastUseOfMessage(caller, messageOf(hop(caller, 'x', text)));
  expect(lastOf('a', 'bye')).toMatchObject({ exchange: { id: 'x1' }, isSame: true });
  expect(lastOf('a', 'hello')).toMatchObject({ exchange: { id: 'x1' }, isSame: false });
  expect(lastOf('b', 'hello')).toMatchObject({ exchange: { id: 'x2' }, isSame: true });
  expect(lastOf('c', 'hello')).toBeUndefined();
  const nameless = { ...messageOf(hop('a', 'x')), messageId: undefined };
  expect(conversation.lastUseOfMessage('a', nameless)).toBeUndefined();
});

it('tells the first use of a messageId between each two', () => {
  const conversation = conversationOf(
    hop('a', 'x'),
    hop('a', 'y'),
    hop('b', 'x'),
    hop('a', 'x'),
    hop('a', 'y'),
  );
  const first = (caller: string, agent: string) => conversation.firstUseOfMessage(caller, agent, 'm-1');
  expect([first('a', 'x'), first('a', 'y'), first('b', 'x')]).toEqual(['x0', 'x1', 'x2']);
  expect([first('b', 'y'), first('x', 'a'), conversation.firstUseOfMessage('a', 'x', 'm-2')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('remembers the last eight pairs that used a messageId, each by its last use', () => {
  const pairs = Array.from({ length: 8 }, (_, i) => hop(`caller ${i}`, 'x'));
  const again = hop('caller 0', 'x');
  const another = hop('caller 1', 'x');
  const remembers = (...exchanges: readonly ReturnType<typeof hop>[]) =>
    Array.from({ length: 10 }, (_, i) => `caller ${i}`).filter(
      (caller) => conversationOf(...exchanges).lastUseOfMessage(caller, messageOf(again)) !== undefined,
    );
  expect(remembers(...pairs)).toEqual(Array.from({ length: 8 }, (_, i) => `caller ${i}`));
  expect(remembers(...pairs, again, hop('caller 8', 'x'))).not.toContain('caller 1');
  expect(remembers(...pairs, again, hop('caller 8', 'x'))).toContain('caller 0');
  expect(remembers(another, ...Array.from({ length: 9 }, () => again))).toContain('caller 1');
  // Other agents of the same caller, and other callers of the same agent, are pairs of their own.
  const conversation = conversationOf(hop('a', 'x'), hop('a', 'y'), hop('b', 'x'), hop('y', 'z'));
  expect(conversation.gatewayOf('x3' as ExchangeId)).toBe('y');
  const apart = conversationOf(hop('a', 'x'), hop('a', 'y'), hop('x', 'z'));
  expect(apart.gatewayOf('x2' as ExchangeId)).toBe('x');
  expect(apart.gatewayOf('x1' as ExchangeId)).toBeUndefined();
});

it('keeps the heads of the newest thousand messages only', () => {
  const others = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      hop('someone', 'else', 'other', {
        params: { message: v1.message('other', { messageId: `other-${i}` }) },
      }),
    );
  expect(handedOn(hop('client', 'middle'), ...others(1023), hop('middle', 'agent')).before).toBeDefined();
  expect(handedOn(hop('client', 'middle'), ...others(1024), hop('middle', 'agent')).before).toBeUndefined();
});

it('hands on nothing that has no id', () => {
  const nameless = (from: string, to: string) =>
    hop(from, to, 'hello', { params: { message: v1.message('hello', { messageId: undefined }) } });
  expect(handedOn(nameless('client', 'middle'), nameless('middle', 'agent'))).toEqual({
    before: undefined,
    relay: undefined,
  });
});

it('does not know when an answer came where the capture has no times, or no answer', () => {
  const answeredAt = (change: (exchange: CapturedExchange) => CapturedExchange) => {
    const conversation = conversationOfDecoded(decodedOne(hop('client', 'middle'), {}, change));
    return conversation.handedOn(decodedOne(hop('middle', 'agent')))?.answeredAtNs;
  };
  expect(answeredAt((exchange) => exchange)).toBe(0.1 * secondNs);
  expect(answeredAt((exchange) => ({ ...exchange, timesSynthetic: true }))).toBeUndefined();
  expect(answeredAt(({ response: _, ...exchange }) => exchange)).toBeUndefined();
});

it('knows the error that ended the stream of whoever sent the message', () => {
  const streamed = (raw: string) =>
    rpcStream({
      method: 'SendStreamingMessage',
      params: { message: v1.message('hello', { messageId: 'm-1' }) },
      events: [],
      raw,
      from: 'client',
      to: 'middle',
    });
  const error = 'data: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"No"}}\n\n';
  const errorOf = (raw: string) => handedOn(streamed(raw), hop('middle', 'agent')).before?.error?.name;
  expect([errorOf(error), errorOf(': nothing\n\n')]).toEqual(['InternalError', undefined]);
});
