import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

/** Members of request messages (1.0 proto): what somebody may squeeze into a query, whole or in pieces. */
const inputs: ReadonlySet<string> = new Set([
  ...['tenant', 'id', 'taskId', 'contextId', 'status', 'pageSize', 'pageToken', 'historyLength'],
  ...['statusTimestampAfter', 'includeArtifacts', 'message', 'configuration', 'metadata', 'params'],
  ...['filter', 'taskPushNotificationConfig', 'authentication'],
]);

/** The first step of a name like `filter[status]` or `configuration.historyLength`. */
const headOf = (name: string): string => name.slice(0, 128).split(/[.[]/, 1)[0] ?? '';

function isJsonText(value: string): boolean {
  if (!/^\s{0,8}[{[]/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

const list = (query: string) =>
  rest({
    verb: 'GET',
    path: `/tasks${query}`,
    response: { tasks: [], nextPageToken: '', pageSize: 10, totalSize: 0 },
  });

export default defineRule({
  id: 'REST-018',
  level: 'MUST',
  party: 'client',
  summary: 'No nested objects are squeezed into the query.',
  spec: { '1.0': '11.5' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    path: 'The query parameter {name} is a path into an object',
    json: 'The query parameter {name} holds a JSON text: {found}',
  },
  why: 'No form for this is laid down, so the server ignores the parameter and answers as if it had not been sent.',
  fix: 'Put plain values into the query under their own names; what is nested goes into the body of a POST.',
  examples: {
    good: [
      [list('?contextId=ctx-1&pageSize=10')],
      // Not all that has braces is JSON.
      [list('?contextId=%7Bctx%7D&pageSize=10')],
      [list('?trace.id=7&contextId=a%7Bb')],
    ],
    skip: [
      [list('')],
      [list('?trace=on&utm.source=lab')],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [list('?filter[status]=TASK_STATE_WORKING')], messages: ['path'] },
      { example: [list('?statusTimestampAfter.seconds=1767225600')], messages: ['path'] },
      {
        example: [
          rest({
            verb: 'GET',
            path: `/tasks/task-1?metadata=${encodeURIComponent('{"trace":true}')}`,
            response: v1.task('WORKING'),
          }),
        ],
        messages: ['json'],
      },
    ],
  },
  when: ({ request }) => request.query.some(([name]) => inputs.has(headOf(name))),
  check: ({ request }, { report }) => {
    for (const [name, value] of request.query) {
      const head = headOf(name);
      if (!inputs.has(head)) continue;
      if (name !== head)
        report('path', { data: { name }, at: { side: 'request' }, expected: head, actual: name });
      else if (isJsonText(value))
        report('json', {
          data: { name, found: value },
          at: { side: 'request' },
          expected: 'a plain value',
          actual: value,
        });
    }
  },
});
