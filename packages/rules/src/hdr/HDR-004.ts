import { headerValues } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const geo = 'https://extensions.example/geo/v1';

export default defineRule({
  id: 'HDR-004',
  level: 'MUST',
  party: 'client',
  summary: '`A2A-Extensions` is a list of extension URIs with commas between them.',
  spec: { '1.0': '14.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    uri: '`A2A-Extensions` holds {found}, which is not one URI',
    empty: '`A2A-Extensions` holds an empty entry',
  },
  why: 'The agent compares each entry with the URIs of its extensions and finds none, so the extension stays off.',
  fix: 'Send the URIs as the card gives them, separated by commas.',
  examples: {
    good: [
      [rpc({ ...get, headers: { 'A2A-Extensions': `${geo}, urn:example:cite` } })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers: { 'A2A-Extensions': geo },
          response: v1.task('WORKING'),
        }),
      ],
    ],
    skip: [[rpc(get)], [rpc({ ...get, headers: { 'A2A-Extensions': ' ' } })]],
    bad: [
      {
        example: [rpc({ ...get, headers: { 'A2A-Extensions': `${geo} urn:example:cite` } })],
        messages: ['uri'],
      },
      {
        example: [rpc({ ...get, headers: { 'A2A-Extensions': `${geo},,urn:example:cite` } })],
        messages: ['empty'],
      },
    ],
  },
  when: ({ captured }) =>
    headerValues(captured.request.headers, 'a2a-extensions').some((value) => value.trim() !== ''),
  check: ({ captured }, { report }) => {
    const at = { side: 'request', header: 'A2A-Extensions' } as const;
    for (const value of headerValues(captured.request.headers, 'a2a-extensions'))
      for (const entry of value.split(',')) {
        const found = entry.trim();
        if (found === '') report('empty', { at, expected: 'a URI', actual: value });
        // Without a scheme it is a relative URI, and the matter of EXT-001.
        else if (/^[A-Za-z][A-Za-z0-9+.-]*:./.test(found) && /\s/.test(found))
          report('uri', { data: { found }, at, expected: 'a URI', actual: found });
      }
  },
});
