import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { whetherFound } from './documents.ts';
import { sentTask } from './oldest-traffic.ts';
import { placeOfScalar, scalarMembers } from './scalar-members.ts';
import { schema01 } from './schema.ts';
import { faultless03, faultless10 } from './traffic-without-fault.ts';

const stateMembers = scalarMembers(schema01, 'state');
const states: ReadonlySet<Json> = new Set([
  ...['submitted', 'working', 'input-required', 'completed', 'canceled', 'failed', 'unknown'],
]);
const text = { type: 'text', text: 'hello' };

export default defineRule({
  id: 'JSON-032',
  level: 'MUST',
  party: 'sender',
  summary: 'In 0.1 a task is in one of the seven states of that version.',
  spec: { '0.1': '6.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { unknown: 'The state is {found}, which 0.1 does not have' },
  why: 'A 0.1 client does not know later states such as `rejected` and takes the task for one that still runs.',
  fix: 'Show the nearest state of 0.1: `failed` for a refused task, `input-required` for one that waits for credentials.',
  examples: {
    good: [sentTask(text), sentTask(text, 'input-required')],
    skip: [faultless03.rpc, faultless10.rpc],
    bad: [{ example: sentTask(text, 'rejected'), messages: ['unknown'] }],
  },
  when: (exchange) => whetherFound(exchange, stateMembers(exchange).length > 0),
  check: (exchange, { report }) => {
    for (const found of stateMembers(exchange)) {
      const { value } = found;
      if (states.has(value)) continue;
      report('unknown', {
        data: { found: value },
        at: placeOfScalar(found),
        expected: [...states].join(', '),
        actual: value,
      });
    }
  },
});
