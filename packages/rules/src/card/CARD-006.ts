import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';

export default defineRule({
  id: 'CARD-006',
  level: 'SHOULD',
  party: 'server',
  summary: 'A card is labelled as JSON.',
  spec: { '0.1': '5.3', '0.2': '5.3', '0.3': '5.3', '1.0': '14.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  about: ['card'],
  messages: { label: 'The card is labelled {found} instead of application/json' },
  why: 'HTTP clients that parse by the label hand the card over as plain text, and browsers refuse it.',
  fix: 'Serve the card with `Content-Type: application/json`.',
  examples: {
    good: [
      [getCard(v1.card())],
      [getCard(v03.card(), { responseHeaders: { 'Content-Type': 'application/a2a+json; charset=utf-8' } })],
    ],
    skip: [
      [getCard({ detail: 'Not Found' }, { status: 404, responseHeaders: { 'Content-Type': 'text/html' } })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [getCard(v1.card(), { responseHeaders: { 'Content-Type': 'text/plain' } })],
        messages: ['label'],
      },
    ],
  },
  when: ({ kind, payloads }) => kind === 'card' && payloads.some((payload) => payload.kind === 'card'),
  check: ({ response }, { report }) => {
    const found = response?.mediaType ?? '';
    if (found === 'application/json' || found.endsWith('+json')) return;
    report('label', {
      data: { found: found === '' ? undefined : found },
      at: { side: 'response', header: 'Content-Type' },
      expected: 'application/json',
      actual: found,
    });
  },
});
