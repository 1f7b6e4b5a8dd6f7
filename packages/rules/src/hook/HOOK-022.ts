import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import type { ExampleExchange } from '@plugfest/verifier/examples';
import { deliver, rpc, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const config = { id: 'task-1', pushNotificationConfig: v03.pushConfig() };
const set = rpc({
  version: '0.3',
  method: 'tasks/pushNotification/set',
  params: config,
  result: config,
});
const challenge = (answer: string, query = '?validationToken=v-1', status = 200): ExampleExchange => ({
  from: 'agent',
  to: 'webhook receiver',
  request: { method: 'GET', url: `https://hook.example/push${query}`, headers: {} },
  response: { status, headers: { 'Content-Type': 'text/plain' }, body_raw: answer },
});
const json = { headers: { 'Content-Type': 'application/json' } };
const status = { state: 'completed', timestamp: '2026-01-01T00:00:09.000Z' };

export default defineRule({
  id: 'HOOK-022',
  level: 'INFO',
  party: 'webhook-receiver',
  summary: 'A 0.1 receiver that is asked with a `validationToken` answers with that token.',
  spec: { '0.1': 'Push notifications, security (topic page)' },
  bindings: ['JSONRPC'],
  scope: 'hop',
  about: ['webhook'],
  messages: { other: 'The answer to the validation request does not hold the token that came with it' },
  why: 'An agent may ask a webhook first whether it wants to be called. One that gives no token back is taken for somebody else’s and gets no notifications.',
  fix: 'Answer a GET that has `validationToken` in its query with 200 and the token as the body.',
  examples: {
    good: [
      [set, challenge('v-1')],
      [set, challenge('v-1', '?agent=a-1&validationToken=v-1')],
    ],
    skip: [
      [set, deliver({ taskId: 'task-1', status }, json)],
      [
        set,
        deliver(
          { taskId: 'task-1', status },
          { ...json, url: 'https://hook.example/push?validationToken=v-1' },
        ),
      ],
      [set, challenge('hello', '')],
    ],
    bad: [
      { example: [set, challenge('hello')], messages: ['other'] },
      { example: [set, challenge('No v-1 here', undefined, 404)], messages: ['other'] },
    ],
  },
  when: (exchange) => {
    if (exchange.kind !== 'webhook' || exchange.captured.request.method !== 'GET') return false;
    if (!challengeOf(exchange) || exchange.response === undefined) return false;
    return isUnread(exchange.response.json.state) ? 'undecidable' : true;
  },
  check: (exchange, { report }) => {
    const token = challengeOf(exchange);
    const { response } = exchange;
    if (token === undefined || response === undefined) return;
    if (response.status >= 200 && response.status < 300 && response.json.text.includes(token)) return;
    report('other', {
      at: { side: 'response' },
      expected: '200 with the token',
      actual: response.status,
    });
  },
});

const challengeOf = ({ request }: DecodedExchange): string | undefined =>
  request.query.find(([name]) => name === 'validationToken')?.[1];
