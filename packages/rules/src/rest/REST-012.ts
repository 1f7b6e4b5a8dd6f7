import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, restV03, v1, v03 } from '@plugfest/verifier/examples';
import { type LabelledBody, labelledBodies } from './body-label.ts';
import { isOnLaterPath } from './later-path.ts';

const get = { verb: 'GET', path: '/v1/tasks/task-1', response: v03.task('working') } as const;

export default defineRule({
  id: 'REST-012',
  level: 'MUST',
  party: 'sender',
  summary: 'HTTP+JSON bodies of 0.3 are labelled application/json.',
  spec: { '0.3': '3.2.3' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { other: 'The {side} body is labelled {found} instead of application/json' },
  why: 'Peers of 0.3 know this one label; application/a2a+json came with 1.0, and strict frameworks refuse it.',
  fix: 'Send `Content-Type: application/json` to peers that speak 0.3.',
  examples: {
    good: [[restV03(get)]],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [restV03({ ...get, status: 404, responseText: '' })],
      // Who calls a path of 1.0 is answered by what serves 1.0.
      [
        restV03({
          ...get,
          path: '/tasks/task-1',
          headers: { 'A2A-Version': '0.3' },
          responseHeaders: { 'Content-Type': 'application/a2a+json' },
        }),
      ],
    ],
    bad: [
      {
        example: [restV03({ ...get, responseHeaders: { 'Content-Type': 'text/plain' } })],
        messages: ['other'],
      },
      {
        example: [restV03({ ...get, responseHeaders: { 'Content-Type': undefined } })],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => bodiesOf03(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { side, mediaType } of bodiesOf03(exchange)) {
      if (mediaType === 'application/json') continue;
      report('other', {
        data: { side, found: mediaType || 'nothing' },
        at: { side, header: 'content-type' },
        expected: 'application/json',
        actual: mediaType,
      });
    }
  },
});

/** What has to have the label of 0.3: whoever is called on a path of 1.0 may answer with the label of 1.0. */
function bodiesOf03(exchange: DecodedExchange): readonly LabelledBody[] {
  const bodies = labelledBodies(exchange);
  if (!isOnLaterPath(exchange)) return bodies;
  return bodies.filter(({ side, mediaType }) => side === 'request' || mediaType !== 'application/a2a+json');
}
