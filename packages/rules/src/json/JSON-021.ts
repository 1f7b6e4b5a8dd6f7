import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { whetherFound } from './documents.ts';
import { placeOfScalar, scalarMembers } from './scalar-members.ts';
import { schema10 } from './schema.ts';
import { faultless03, faultless10 } from './traffic-without-fault.ts';

const integers = scalarMembers(schema10, 'int32');

const get = (historyLength: string | number) =>
  rpc({ method: 'GetTask', params: { id: 'task-1', historyLength }, result: v1.task('WORKING') });

export default defineRule({
  id: 'JSON-021',
  level: 'MUST',
  party: 'sender',
  summary: 'Lengths, page sizes and totals are whole JSON numbers of 32 bits.',
  spec: { '1.0': '5.5' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { form: '`{member}` is {found}, which is no whole number of 32 bits' },
  why: 'The field is an int32: readers refuse fractions and larger numbers, and those written by hand refuse text as well.',
  fix: 'Write the value as a JSON number without fraction and without quotes.',
  examples: {
    good: [
      [get(0)],
      [
        rest({
          verb: 'GET',
          path: '/tasks?pageSize=10',
          response: { tasks: [], nextPageToken: '', pageSize: 10, totalSize: 0 },
        }),
      ],
    ],
    skip: [faultless10.rpc, faultless03.rpc, faultless10.card],
    bad: [
      { example: [get('5')], messages: ['form'] },
      { example: [get(1.5)], messages: ['form'] },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks',
            response: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 3_000_000_000 },
          }),
        ],
        messages: ['form'],
      },
    ],
  },
  when: (exchange) => whetherFound(exchange, integers(exchange).length > 0),
  check: (exchange, { report }) => {
    for (const found of integers(exchange)) {
      const { name, value } = found;
      if (typeof value === 'number' && (value | 0) === value) continue;
      report('form', {
        data: { member: name, found: value },
        at: placeOfScalar(found),
        expected: 'a whole number of 32 bits',
        actual: value,
      });
    }
  },
});
