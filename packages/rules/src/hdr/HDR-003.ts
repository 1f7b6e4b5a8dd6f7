import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { majorMinor } from '../major-minor.ts';
import { versionText } from './version-text.ts';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;

export default defineRule({
  id: 'HDR-003',
  level: 'SHOULD',
  party: 'client',
  summary: '`A2A-Version` has no patch number.',
  spec: { '1.0': '3.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { patch: '`A2A-Version` is {found}, with a patch number' },
  why: 'Agents that compare the text with "1.0" refuse the call, though they speak the version.',
  fix: 'Send Major.Minor alone.',
  examples: {
    good: [[rpc(get)], [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })]],
    skip: [
      [rpc({ ...get, headers: { 'A2A-Version': undefined } })],
      // No version at all, which is the matter of HDR-002.
      [rpc({ ...get, headers: { 'A2A-Version': 'v1.0.1' } })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    bad: [{ example: [rpc({ ...get, headers: { 'A2A-Version': '1.0.1' } })], messages: ['patch'] }],
  },
  when: ({ request }) => majorMinor(request.a2aVersion) !== undefined,
  check: (exchange, { report }) => {
    const found = versionText(exchange);
    if (found.split('.').length > 2)
      report('patch', {
        data: { found },
        at: { side: 'request', header: 'A2A-Version' },
        expected: 'Major.Minor',
        actual: found,
      });
  },
});
