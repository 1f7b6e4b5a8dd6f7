import { decodeExchange } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import { rpc, v1 } from '../examples/index.ts';
import { captured } from '../testing/captured.ts';

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
