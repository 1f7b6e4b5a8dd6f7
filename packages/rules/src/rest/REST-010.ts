import { defineRule } from '@plugfest/verifier';
import { rest, restV03, v1, v03 } from '@plugfest/verifier/examples';
import { isOnLaterPath } from './later-path.ts';

const path = '/tasks/task-1';
const response = v03.task('working');

export default defineRule({
  id: 'REST-010',
  level: 'MUST',
  party: 'client',
  summary: 'HTTP+JSON paths of 0.3 begin with `/v1` after the URL of the card.',
  spec: { '0.3': '3.5.3' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { prefix: '{verb} {path} is the path of 1.0; in 0.3 it begins with `/v1`' },
  why: 'A 0.3 server has its routes below `/v1` and answers 404 to this call.',
  fix: 'Put `/v1` between the URL of the card and the path of the operation as long as the peer speaks 0.3.',
  examples: {
    good: [[restV03({ verb: 'GET', path: `/v1${path}`, response })]],
    skip: [
      [rest({ verb: 'GET', path, response: v1.task('WORKING') })],
      [
        restV03({
          verb: 'GET',
          path: '/v1/things/1',
          headers: { 'A2A-Version': '0.3' },
          status: 404,
          responseText: '',
        }),
      ],
    ],
    bad: [
      {
        example: [restV03({ verb: 'GET', path, headers: { 'A2A-Version': '0.3' }, response })],
        messages: ['prefix'],
      },
    ],
  },
  when: ({ wireMethod }) => wireMethod !== undefined,
  check: (exchange, { report }) => {
    if (!isOnLaterPath(exchange)) return;
    const { request, captured } = exchange;
    report('prefix', {
      data: { verb: captured.request.method, path: request.path },
      at: { side: 'request' },
      expected: 'a path that begins with /v1',
      actual: request.path,
    });
  },
});
