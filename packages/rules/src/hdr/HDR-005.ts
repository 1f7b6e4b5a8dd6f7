import { headerValues } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const geo = 'https://extensions.example/geo/v1';
const cite = 'urn:example:cite';
// Two lines of one header: an object has each name once, and case means nothing.
const twoLines = { 'A2A-Extensions': geo, 'a2a-extensions': cite } as const;

export default defineRule({
  id: 'HDR-005',
  level: 'SHOULD',
  party: 'client',
  summary: 'Several extensions share one `A2A-Extensions` line.',
  spec: { '1.0': '9.2, 11.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  messages: { lines: 'The extensions come in {count} `A2A-Extensions` lines' },
  why: 'Many servers read only the first line or the last: the extensions in the others stay off.',
  fix: 'Join the URIs with commas in one `A2A-Extensions` header.',
  examples: {
    good: [
      [rpc({ ...get, headers: { 'A2A-Extensions': `${geo}, ${cite}` } })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers: { 'A2A-Extensions': `${geo},${cite}` },
          response: v1.task('WORKING'),
        }),
      ],
    ],
    skip: [[rpc(get)], [rpc({ ...get, headers: { 'A2A-Extensions': geo } })]],
    bad: [{ example: [rpc({ ...get, headers: twoLines })], messages: ['lines'] }],
  },
  when: ({ captured }) => {
    const lines = headerValues(captured.request.headers, 'a2a-extensions');
    return lines.length > 1 || lines[0]?.includes(',') === true;
  },
  check: ({ captured }, { report }) => {
    const lines = headerValues(captured.request.headers, 'a2a-extensions');
    if (lines.length < 2) return;
    report('lines', {
      data: { count: lines.length },
      at: { side: 'request', header: 'A2A-Extensions' },
      expected: lines.join(', '),
      actual: lines,
    });
  },
});
