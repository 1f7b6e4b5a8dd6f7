import { rest, restStream, v1 } from '@plugfest/verifier/examples';
import { routeRule } from './route-rule.ts';

const body = { message: v1.message('hello') };
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

export default routeRule({
  id: 'REST-002',
  operations: ['SendStreamingMessage'],
  route: 'POST {base}/message:stream',
  summary: 'A message is sent for streaming by POST to `/message:stream`.',
  section: '11.3.1',
  good: [restStream({ verb: 'POST', path: '/message:stream', body, events })],
  bad: [
    rest({ verb: 'GET', path: '/message:stream', status: 405, responseText: '' }),
    rest({ verb: 'POST', path: '/message/stream', body, status: 404, responseText: '' }),
  ],
});
