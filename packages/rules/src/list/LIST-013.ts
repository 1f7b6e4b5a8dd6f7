import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { listedTask, listPage } from './page.ts';

const page = listPage([listedTask(1)]);
const foreign = ['offset', 'page', 'skip', 'cursor', 'limit', 'pageNumber'] as const;

export default defineRule({
  id: 'LIST-013',
  level: 'MUST',
  party: 'client',
  summary: 'A client pages through tasks by `pageToken`, not by offsets or page numbers.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { foreign: 'The request pages by `{member}`, which List Tasks does not know' },
  where: { foreign: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'Agents ignore the member and answer with the first page again, so the client sees the same tasks for ever.',
  fix: 'Send `pageSize`, and as `pageToken` the `nextPageToken` of the page before.',
  examples: {
    good: [
      [rpc({ method: 'ListTasks', params: { pageSize: 10, pageToken: 'page-2' }, result: page })],
      [rest({ verb: 'GET', path: '/tasks?pageSize=10', response: page })],
    ],
    skip: [[rpc({ method: 'ListTasks', params: {}, result: page })]],
    bad: [
      {
        example: [rpc({ method: 'ListTasks', params: { offset: 50 }, result: page })],
        messages: ['foreign'],
      },
      { example: [rest({ verb: 'GET', path: '/tasks?page=2', response: page })], messages: ['foreign'] },
    ],
  },
  when: ({ operation, request }) => {
    const { params } = request;
    if (operation !== 'ListTasks' || !isJsonObject(params)) return false;
    return ['pageSize', 'pageToken', ...foreign].some((member) => member in params);
  },
  check: ({ request }, { report }) => {
    const { params, pointer } = request;
    if (!isJsonObject(params)) return;
    for (const member of foreign)
      if (member in params)
        report('foreign', {
          data: { member },
          at: { side: 'request', pointer: `${pointer}/${member}` },
          expected: 'pageToken',
        });
  },
});
