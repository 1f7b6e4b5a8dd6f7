import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { majorMinor } from '../major-minor.ts';
import { versionText } from './version-text.ts';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;

export default defineRule({
  id: 'HDR-002',
  level: 'MUST',
  party: 'client',
  summary: '`A2A-Version` has the form Major.Minor.',
  spec: { '1.0': '14.2.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { form: '`A2A-Version` is {found}, which is no Major.Minor' },
  why: 'Agents compare the value with the versions that they declare and refuse what they cannot read.',
  fix: 'Send the two numbers alone, for example `1.0`.',
  examples: {
    good: [[rpc(get)], [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })]],
    skip: [
      [rpc({ ...get, headers: { 'A2A-Version': undefined } })],
      [rpc({ ...get, headers: { 'A2A-Version': ' ' } })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    bad: [
      { example: [rpc({ ...get, headers: { 'A2A-Version': 'v1.0' } })], messages: ['form'] },
      { example: [rpc({ ...get, headers: { 'A2A-Version': '1' } })], messages: ['form'] },
    ],
  },
  // Patch numbers are the subject of HDR-003, empty values that of VER-001.
  when: (exchange) => versionText(exchange) !== '',
  check: (exchange, { report }) => {
    const found = versionText(exchange);
    if (majorMinor(found) !== undefined) return;
    report('form', {
      data: { found },
      at: { side: 'request', header: 'A2A-Version' },
      expected: 'Major.Minor',
      actual: found,
    });
  },
});
