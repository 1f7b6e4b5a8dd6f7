import { header, type RawHeaders } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, unanswered, v1, v03 } from '@plugfest/verifier/examples';

const names = ['A2A-Extensions', 'A2A-Version'] as const;
const oldName = { 'A2A-Extensions': 'X-A2A-Extensions', 'A2A-Version': 'X-A2A-Version' } as const;
const sides = ['request', 'response'] as const;
const noHeaders: RawHeaders = [];

/** Service parameters that stand under their old name only. */
const onlyOld = (headers: RawHeaders) =>
  names.filter((name) => header(headers, oldName[name]) !== undefined && header(headers, name) === undefined);
const hasOne = (headers: RawHeaders): boolean => {
  for (const name of names)
    if (header(headers, name) !== undefined || header(headers, oldName[name]) !== undefined) return true;
  return false;
};

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const unversioned = { ...get, headers: { 'A2A-Version': undefined } } as const;
const geo = 'https://extensions.example/geo/v1';

export default defineRule({
  id: 'HDR-006',
  level: 'MUST',
  party: 'sender',
  summary: 'In 1.0 service parameters stand under their names without `X-`.',
  spec: { '1.0': '3.2.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { old: 'The header is named `X-{name}`, as before 1.0, and `{name}` is not there' },
  why: 'A 1.0 peer does not look at the old name: the extension is silently not active, or the version counts as 0.3.',
  fix: 'Send the header under its 1.0 name; the old one may stand beside it for older peers.',
  examples: {
    good: [
      [rpc({ ...get, headers: { 'A2A-Extensions': geo } })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers: { 'A2A-Extensions': geo, 'X-A2A-Extensions': geo },
          response: v1.task('WORKING'),
        }),
      ],
    ],
    skip: [
      [
        rpc({
          version: '0.3',
          method: 'tasks/get',
          params: { id: 'task-1' },
          headers: { 'X-A2A-Extensions': geo },
          result: v03.task('working'),
        }),
      ],
      [rpc(unversioned)],
      [unanswered(rpc(unversioned))],
    ],
    bad: [
      { example: [rpc({ ...get, headers: { 'X-A2A-Extensions': geo } })], messages: ['old'] },
      { example: [rpc({ ...get, responseHeaders: { 'X-A2A-Extensions': geo } })], messages: ['old'] },
      {
        example: [rpc({ ...unversioned, headers: { 'A2A-Version': undefined, 'X-A2A-Version': '1.0' } })],
        messages: ['old'],
      },
      {
        example: [rpc({ ...unversioned, responseHeaders: { 'X-A2A-Extensions': geo } })],
        messages: ['old'],
      },
      { example: [unanswered(rpc({ ...get, headers: { 'X-A2A-Extensions': geo } }))], messages: ['old'] },
    ],
  },
  when: ({ captured: { request, response } }) =>
    hasOne(request.headers) || (response !== undefined && hasOne(response.headers)),
  check: ({ captured }, { report }) => {
    for (const side of sides)
      for (const name of onlyOld(captured[side]?.headers ?? noHeaders))
        report('old', {
          data: { name },
          at: { side, header: `X-${name}` },
          expected: name,
          actual: `X-${name}`,
        });
  },
});
