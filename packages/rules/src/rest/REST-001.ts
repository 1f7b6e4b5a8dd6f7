import { rest, v1 } from '@plugfest/verifier/examples';
import { routeRule } from './route-rule.ts';

const body = { message: v1.message('hello') };
const response = { task: v1.task('COMPLETED') };

export default routeRule({
  id: 'REST-001',
  operations: ['SendMessage'],
  route: 'POST {base}/message:send',
  summary: 'A message is sent by POST to `/message:send`.',
  section: '11.3.1',
  good: [rest({ verb: 'POST', path: '/message:send', body, response })],
  bad: [
    rest({ verb: 'PUT', path: '/message:send', body, status: 405, responseText: '' }),
    rest({ verb: 'POST', path: '/message/send', body, status: 404, responseText: '' }),
  ],
  skip: [
    [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    // With an envelope, or most of one, it is a call of JSON-RPC at a wrong place.
    ...[
      { jsonrpc: '2.0', id: 1, params: body },
      { method: 'message/send', params: body },
    ].map((envelope) => [
      rest({ verb: 'POST', path: '/message/send', body: envelope, status: 404, responseText: '' }),
    ]),
  ],
});
