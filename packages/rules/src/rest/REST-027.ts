import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';

const named = (id: string) => ({ id, contextId: 'ctx-1' });
const path = (id: string, verb = '') => `/tasks/${id}${verb}`;
const cancel = (id: string, task: string) =>
  rest({
    verb: 'POST',
    path: path(id, ':cancel'),
    body: {},
    response: v1.task('CANCELED', named(task)),
  });
const get = (id: string) => rest({ verb: 'GET', path: path(id), response: v1.task('WORKING', named(id)) });
const send = (id: string) =>
  rest({
    verb: 'POST',
    path: '/message:send',
    body: { message: v1.message('hello') },
    response: { task: v1.task('WORKING', named(id)) },
  });

/** Characters that mean something in a path, and so have to be encoded in an id. */
const special = /[:/?#[\]%\s]|[^\x21-\x7e]/;

/** The task id of a call as it stands in the path, with the id that it means. */
function idInPath({ wireMethod: pattern, request }: DecodedExchange) {
  const { params } = request;
  if (pattern?.includes('/tasks/{id}') !== true || !isJsonObject(params)) return undefined;
  const meant = pattern.includes('/pushNotificationConfigs') ? params.taskId : params.id;
  const segments = request.path.split('/');
  // The id is the segment after `tasks`, counted from the end: bases are free.
  const fromEnd = pattern.split('/').length - pattern.split('/').indexOf('tasks') - 1;
  const raw = (segments.at(-fromEnd) ?? '').replace(/:(?:cancel|subscribe)$/, '');
  return typeof meant === 'string' && special.test(meant) ? { raw, meant } : undefined;
}

/** `/tasks/a:b` may also be an operation `b` of an extension, unless there is a task of that name. */
const isCertain = (
  { captured, operation }: DecodedExchange,
  conversation: Conversation,
  meant: string,
): boolean => operation !== 'GetTask' || conversation.task(captured.edge.callee, meant) !== undefined;

export default defineRule({
  id: 'REST-027',
  level: 'SHOULD',
  party: 'client',
  summary: 'A task id with a colon or another reserved character is percent-encoded in the path.',
  spec: { '1.0': '11.3.2' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    plain: 'The task id stands in the path as {found}, with a reserved character that is not encoded',
  },
  why: 'What follows the last colon of the path names the operation: a server that splits at the first one looks for another task, or another operation.',
  fix: 'Encode the id as one path segment before it is put into the URL, colons included (`%3A`).',
  examples: {
    good: [[cancel('urn%3Atask%3A1', 'urn:task:1')], [cancel('a%2Fb', 'a/b')]],
    skip: [
      [cancel('task-1', 'task-1')],
      [send('urn:task:1')],
      // An extension may have an operation `1` of a task `urn`.
      [get('urn:1')],
    ],
    bad: [
      { example: [cancel('urn:task:1', 'urn:task:1')], messages: ['plain'] },
      { example: [cancel('a:cancel', 'a:cancel')], messages: ['plain'] },
      { example: [send('urn:1'), get('urn:1')], messages: ['plain'] },
      {
        example: [
          rest({
            verb: 'GET',
            path: `${path('urn:task:1')}/pushNotificationConfigs/config-1`,
            response: v1.pushConfig({ id: 'config-1', taskId: 'urn:task:1' }),
          }),
        ],
        messages: ['plain'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const id = idInPath(exchange);
    return id !== undefined && isCertain(exchange, conversation, id.meant);
  },
  check: (exchange, { report }) => {
    const id = idInPath(exchange);
    if (id === undefined || !/[:[\]\s]|[^\x21-\x7e]/.test(id.raw)) return;
    report('plain', {
      data: { found: id.raw },
      at: { side: 'request' },
      expected: encodeURIComponent(id.meant.toWellFormed()),
      actual: id.raw,
    });
  },
});
