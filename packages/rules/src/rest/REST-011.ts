import { defineRule } from '@plugfest/verifier';
import { rest, restStream, v1 } from '@plugfest/verifier/examples';
import { labelledBodies } from './body-label.ts';

const send = { verb: 'POST', path: '/message:send', body: { message: v1.message('hello') } } as const;
const response = { task: v1.task('COMPLETED') };
const labelled = (type: string | undefined) => ({ 'Content-Type': type });

export default defineRule({
  id: 'REST-011',
  level: 'SHOULD',
  party: 'sender',
  summary:
    'HTTP+JSON bodies are labelled application/a2a+json; application/json, the rule of 1.0.0, is tolerated.',
  spec: { '1.0': '11.1' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    other: 'The {side} body is labelled {found}, which is no JSON type of A2A',
    none: 'The {side} body has no media type',
    era: 'As in the 1.0.0 text, the {side} body is labelled application/json',
  },
  why: 'Frameworks choose the parser by this label; under another one the body arrives as plain text or is refused with 415.',
  fix: 'Set `Content-Type: application/a2a+json` on every body of the HTTP+JSON binding.',
  examples: {
    good: [[rest({ ...send, response })]],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', status: 404, responseText: '' })],
      [
        restStream({
          verb: 'GET',
          path: '/tasks/task-1:subscribe',
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    bad: [
      { example: [rest({ ...send, response, headers: labelled('text/plain') })], messages: ['other'] },
      { example: [rest({ ...send, response, responseHeaders: labelled(undefined) })], messages: ['none'] },
      {
        example: [rest({ ...send, response, responseHeaders: labelled('application/json') })],
        messages: ['era'],
      },
    ],
  },
  when: (exchange) => labelledBodies(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { side, mediaType } of labelledBodies(exchange)) {
      const at = { side, header: 'content-type' } as const;
      const expected = 'application/a2a+json';
      if (mediaType === expected || mediaType === 'application/problem+json') continue;
      if (mediaType === '') report('none', { data: { side }, at, expected });
      else if (mediaType === 'application/json')
        report('era', { outcome: 'info', data: { side }, at, expected, actual: mediaType });
      else report('other', { data: { side, found: mediaType }, at, expected, actual: mediaType });
    }
  },
});
