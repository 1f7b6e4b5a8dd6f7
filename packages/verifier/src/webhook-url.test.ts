import { expect, it } from 'vitest';
import { deliver, v1 } from './examples/index.ts';
import { decodedOne } from './testing/conversation.ts';
import { calledWebhookKey, webhookHost } from './webhook-url.ts';

const called = (target: string, headers: readonly string[]) =>
  calledWebhookKey(
    decodedOne(deliver(v1.statusUpdate('WORKING')), {}, ({ request, ...exchange }) => ({
      ...exchange,
      request: { ...request, target, headers },
    })).captured,
  );

it('is called by host and path, or by the absolute URL that imports give', () => {
  expect(called('/push?a=b', ['Host', 'hook.example'])).toBe('hook.example/push?a=b');
  expect(called('https://hook.example/push', ['Host', 'proxy.example:8080'])).toBe('hook.example/push');
  expect(called('/push', [])).toBe('/push');
});

it('lies at the host and port of its key', () => {
  expect(webhookHost('Hook.example:8080/Push?a=b')).toBe('hook.example:8080');
  expect(webhookHost('hook.example?a=/b')).toBe('hook.example');
  expect(webhookHost('hook.example')).toBe('hook.example');
});
