import type { DecodedExchange } from '@plugfest/a2a';
import { headerValues } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcBytes, v1 } from '@plugfest/verifier/examples';
import { elsewhere, faultless10, getTaskBytes, taskBytes } from './calls.ts';

const get = { method: 'GetTask', request: { id: 'task-1' }, response: v1.task('WORKING') } as const;
const geo = 'https://extensions.example/geo/v1';
const cite = 'urn:example:cite';

const entriesOf = ({ captured }: DecodedExchange): readonly string[] =>
  headerValues(captured.request.headers, 'a2a-extensions').filter((value) => value.trim() !== '');

/** Two keys of one name in an object, which metadata may have: spelled apart, as metadata know no case. */
const twice = { 'a2a-extensions': geo, 'A2A-Extensions': cite };

export default defineRule({
  id: 'GRPC-007',
  level: 'SHOULD',
  party: 'client',
  summary: 'Several extensions share one a2a-extensions entry of the metadata, with commas between them.',
  spec: { '1.0': '10.2' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: { several: 'The metadata have {found} entries of a2a-extensions' },
  why: 'Code that asks the metadata for the value gets the first or the last entry, and the other extensions stay off.',
  fix: 'Join the URIs with commas into one entry.',
  examples: {
    good: [[grpc({ ...get, metadata: { 'a2a-extensions': `${geo},${cite}` } })]],
    skip: [
      faultless10.get,
      elsewhere,
      [grpc({ ...get, metadata: { 'a2a-extensions': geo } })],
      [grpc({ ...get, metadata: { ...twice, 'A2A-Extensions': ' ' } })],
    ],
    bad: [
      { example: [grpc({ ...get, metadata: twice })], messages: ['several'] },
      {
        example: [
          grpcBytes({ method: 'GetTask', request: [getTaskBytes], response: [taskBytes()], metadata: twice }),
        ],
        messages: ['several'],
      },
    ],
  },
  when: (exchange) => {
    const entries = entriesOf(exchange);
    return entries.length > 1 || (entries[0]?.includes(',') ?? false);
  },
  check: (exchange, { report }) => {
    const entries = entriesOf(exchange);
    if (entries.length > 1)
      report('several', {
        data: { found: entries.length },
        at: { side: 'request', header: 'a2a-extensions' },
        expected: 'one entry',
        actual: [...entries],
      });
  },
});
