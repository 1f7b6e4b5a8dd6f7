import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from '../examples/example.ts';
import { deliver, unanswered, v1 } from '../examples/index.ts';
import { conversationOf, conversationOfDecoded, decodedOne } from '../testing/conversation.ts';

const deliveryOf = (exchange: HttpExampleExchange, change?: Parameters<typeof decodedOne>[2]) => {
  const [webhook] = conversationOfDecoded(decodedOne(exchange, {}, change)).webhooks();
  if (webhook === undefined) throw new Error('no delivery');
  return webhook.delivery;
};
const update = v1.statusUpdate('WORKING');

describe('a delivery', () => {
  it('is kept by what was called, how, and how that was answered', () => {
    expect(deliveryOf(deliver(update, { verb: 'PUT', status: 204 }))).toMatchObject({
      ...{ method: 'PUT', status: 204, version: '1.0', taskId: 'task-1', timesSynthetic: false },
      mediaType: 'application/a2a+json',
      webhook: 'hook.example/push',
      payload: { kind: 'statusUpdate', pointer: '/statusUpdate' },
    });
    expect(deliveryOf(unanswered(deliver(update))).status).toBeUndefined();
    expect(
      deliveryOf(deliver(update), (exchange) => ({ ...exchange, timesSynthetic: true })).timesSynthetic,
    ).toBe(true);
  });

  it('is kept without its body, but for a start of it', () => {
    const { body } = deliveryOf(deliver({ ...update, note: 'x'.repeat(1000) }));
    expect(body).toMatchObject({ state: 'ok', problem: undefined, blank: false });
    expect(body.start).toHaveLength(256);
    expect(body.start.startsWith('{"statusUpdate":')).toBe(true);
  });

  it('has the members that say something, so many at most', () => {
    const membersOf = (value: Parameters<typeof deliver>[0]) => deliveryOf(deliver(value)).body.members;
    expect(membersOf({ ...update, task: null, note: '' })).toEqual(['statusUpdate', 'note']);
    expect(membersOf([update])).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`member${i}`, i]));
    expect(membersOf(many)).toEqual(Object.keys(many).slice(0, 32));
  });

  it('may be nothing, or nothing but white space', () => {
    const raw = (body_raw: string) => {
      const { body: _, ...request } = deliver(update).request;
      return deliveryOf({ ...deliver(update), request: { ...request, body_raw } });
    };
    expect(raw(' \n').body).toMatchObject({ blank: true, members: undefined });
    expect(raw('{').body).toMatchObject({ blank: false, state: 'invalid' });
    expect(raw('{').body.problem).toBeDefined();
    expect(raw('{')).toMatchObject({ payload: undefined, taskId: undefined });
  });
});

it('tells which hosts deliveries of the capture reached', () => {
  const conversation = conversationOf(deliver(update, { url: 'https://Hook.Example:8443/a?b=c' }));
  expect(conversation.seesDeliveriesTo('https://hook.example:8443/other')).toBe(true);
  expect(conversation.seesDeliveriesTo('https://HOOK.example:8443?x=1')).toBe(true);
  expect(conversation.seesDeliveriesTo('https://hook.example/a')).toBe(false);
  expect(conversation.seesDeliveriesTo('https://other.example:8443/a')).toBe(false);
});
