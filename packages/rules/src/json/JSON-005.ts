import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';
import { type ProtocolDocument, whetherFound } from './documents.ts';
import { placeOfScalar, type ScalarMember, timestamps } from './scalar-members.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';
import { timestampForm } from './wire-timestamp.ts';

const hasZone = ({ value }: ScalarMember): boolean => {
  const form = timestampForm(value);
  return form === 'utc' || form === 'offset';
};

export default defineRule({
  id: 'JSON-005',
  level: 'MUST',
  party: 'sender',
  summary: 'Timestamps show no UTC offset but `Z`.',
  spec: { '1.0': '5.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { offset: '`{member}` is {found}, with an offset instead of `Z`' },
  why: 'Peers that compare timestamps as text, or whose parser knows only `Z`, order the events wrongly or refuse them.',
  fix: 'Convert the time to UTC and write `Z`, also where the offset is zero.',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.webhook],
    skip: [
      faultless03.rpc,
      faultless10.card,
      gotTask({ status: v1.status('COMPLETED', { timestamp: undefined }) }),
    ],
    bad: [
      ...['2026-01-01T02:00:09.5+0200', '2026-01-01T02:00:09-02'].map((timestamp) => ({
        example: gotTask({ status: v1.status('COMPLETED', { timestamp }) }),
        messages: ['offset'] as const,
      })),
      {
        example: gotTask({ status: v1.status('COMPLETED', { timestamp: '2026-01-01T00:00:09.000+00:00' }) }),
        messages: ['offset'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            response: v1.task('COMPLETED', {
              status: v1.status('COMPLETED', { timestamp: '2026-01-01T02:00:09+02:00' }),
            }),
          }),
        ],
        messages: ['offset'],
      },
    ],
  },
  when: (exchange) => whetherFound(exchange, timestamps(exchange).some(hasZone)),
  check: (exchange, { report }) => {
    let told: ProtocolDocument | undefined;
    for (const found of timestamps(exchange)) {
      const { document, name, value } = found;
      if (document === told || timestampForm(value) !== 'offset') continue;
      told = document;
      report('offset', {
        data: { member: name, found: value },
        at: placeOfScalar(found),
        expected: 'Z',
        actual: value,
      });
    }
  },
});
