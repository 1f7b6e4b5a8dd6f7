import { defineRule } from '@plugfest/verifier';
import { deliver, rest, v1, v03 } from '@plugfest/verifier/examples';
import { type ProtocolDocument, whetherFound } from './documents.ts';
import { placeOfScalar, timestamps } from './scalar-members.ts';
import {
  faultless03,
  faultless10,
  gotLegacyTask,
  gotLegacyTaskOverRest,
  gotTask,
} from './traffic-without-fault.ts';
import { timestampForm } from './wire-timestamp.ts';

export default defineRule({
  id: 'JSON-004',
  level: 'MUST',
  party: 'sender',
  summary: 'Timestamps are ISO 8601 date-times in UTC, with `Z` at the end.',
  spec: { '0.2': '6.2', '0.3': '6.2', '1.0': '5.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: {
    form: '`{member}` is {found}, which is no ISO 8601 date-time',
    zone: '`{member}` is {found}, without a time zone',
  },
  why: 'Each reader takes a time without zone for its own local time, so tasks sort wrongly and filters by time miss them. (Before 1.0 any ISO 8601 text was allowed, so there it is a warning.)',
  fix: 'Write the time in UTC as `YYYY-MM-DDTHH:mm:ss.sssZ`.',
  examples: {
    good: [
      faultless10.rpc,
      faultless10.rest,
      faultless10.webhook,
      faultless03.rpc,
      ...[
        ...['2026-02-28T23:59:59Z', '2024-02-29T00:00:00Z', '2000-02-29T00:00:00Z', '2024-04-30T00:00:00Z'],
        ...['2026-12-31T23:59:60Z', '2026-01-01T00:00:00.123456789Z'],
      ].map((timestamp) => gotTask({ status: v1.status('COMPLETED', { timestamp }) })),
    ],
    skip: [
      faultless10.card,
      gotLegacyTask({ status: v03.status('completed', { timestamp: undefined }) }),
      gotTask({ status: v1.status('COMPLETED', { timestamp: undefined }) }),
    ],
    bad: [
      // Days that no month has, hours that no day has, and what stands around a time.
      ...[
        ...['2026-00-10T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2026-04-31T00:00:00Z'],
        ...['2026-02-29T00:00:00Z', '2100-02-29T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z'],
        ...['2026-01-01T00:00:61Z', '2026-01-01 00:00:00Z', '2026-01-01T00:00:00.Z', '2026-01-01'],
        ...['at 2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z.', '2026-01-01T00:00:00+1'],
      ].map((timestamp) => ({
        example: gotTask({ status: v1.status('COMPLETED', { timestamp }) }),
        messages: ['form'] as const,
      })),
      {
        example: gotLegacyTaskOverRest({
          status: v03.status('completed', { timestamp: '2026-01-01T00:00:09.123456' }),
        }),
        messages: ['zone'],
      },
      {
        example: gotTask({ status: v1.status('COMPLETED', { timestamp: '2026-01-01T00:00:09.123456' }) }),
        messages: ['zone'],
      },
      {
        example: gotLegacyTask({
          status: v03.status('completed', { timestamp: '2026-01-01T00:00:09.123456' }),
        }),
        messages: ['zone'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            response: v1.task('COMPLETED', { status: v1.status('COMPLETED', { timestamp: 1767225600 }) }),
          }),
        ],
        messages: ['form'],
      },
      {
        example: [
          deliver(
            v1.statusUpdate('COMPLETED', {
              status: v1.status('COMPLETED', { timestamp: '2026-13-01T00:00:00Z' }),
            }),
          ),
        ],
        messages: ['form'],
      },
    ],
  },
  when: (exchange) => whetherFound(exchange, timestamps(exchange).length > 0),
  check: (exchange, { report }) => {
    let told: ProtocolDocument | undefined;
    for (const found of timestamps(exchange)) {
      const { document, name, value } = found;
      const form = timestampForm(value);
      if ((form !== 'none' && form !== 'no-zone') || document === told) continue;
      told = document;
      report(form === 'none' ? 'form' : 'zone', {
        data: { member: name, found: value },
        at: placeOfScalar(found),
        ...(exchange.dialect?.version === '1.0' ? {} : { outcome: 'warn' as const }),
        expected: 'YYYY-MM-DDTHH:mm:ss.sssZ',
        actual: value,
      });
    }
  },
});
