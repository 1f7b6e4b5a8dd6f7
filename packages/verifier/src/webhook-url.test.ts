import type { CapturedExchange, Change } from '@plugfest/model';
import { webhookKey } from '@plugfest/model';
import { expect, test } from 'vitest';
import { calledWebhookKey } from './webhook-url.ts';

const called = (target: string, headers: readonly string[], changes: readonly Change[] = []): string =>
  calledWebhookKey({
    request: { target, headers, forwardedHeaders: ['host', 'inbox.example:9000'] },
    changes,
  } as unknown as CapturedExchange);

const opened = { side: 'request', place: 'target', before: '/.plugfest/x', reason: 'webhook-url' } as const;

test('a delivery went to the host and target that it names', () => {
  expect(called('/hook?x', ['Host', 'Tap:1'])).toBe(webhookKey('http://tap:1/hook?x'));
  expect(called('http://a.example/hook', ['Host', 'b'])).toBe(webhookKey('http://a.example/hook'));
});

test('a delivery to a URL of the proxy went to the URL that the client had registered', () => {
  const change = { ...opened, after: '/hook?x' };
  expect(called('/.plugfest/x', ['Host', 'tap:1'], [change])).toBe(
    webhookKey('http://inbox.example:9000/hook?x'),
  );
});

test('other changes of the target leave it as it was', () => {
  const change = { ...opened, after: '/hook', reason: 'origin-form' };
  expect(called('/x', ['Host', 'tap:1'], [change])).toBe(webhookKey('http://tap:1/x'));
});
