import type { DecodedExchange } from '@plugfest/a2a';
import { header, type RawHeaders } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, unanswered, v1, v03 } from '@plugfest/verifier/examples';

const older = {
  version: '0.3',
  method: 'tasks/get',
  params: { id: 'task-1' },
  result: v03.task('working'),
} as const;
const geo = 'https://extensions.example/geo/v1';

const sides = ['request', 'response'] as const;

const hasOld = (headers: RawHeaders): boolean => header(headers, 'x-a2a-extensions') !== undefined;
const hasNew = (headers: RawHeaders): boolean => header(headers, 'a2a-extensions') !== undefined;

/** What is sent in each direction. */
const heads = ({ captured }: DecodedExchange) =>
  sides.map((side) => ({ side, headers: captured[side]?.headers ?? [] }));

export default defineRule({
  id: 'HDR-007',
  level: 'SHOULD',
  party: 'sender',
  summary: 'Before 1.0 extensions are asked for, and confirmed, in `X-A2A-Extensions`.',
  spec: { '0.2': 'extensions topic', '0.3': 'extensions topic' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { early: 'The {side} names its extensions in `A2A-Extensions` only, the header of 1.0' },
  why: 'A peer of 0.2 or 0.3 looks at the old name: the extension is silently not active, or its activation is not seen.',
  fix: 'Send `X-A2A-Extensions` in traffic before 1.0; the new name may stand beside it.',
  examples: {
    good: [
      [rpc({ ...older, headers: { 'X-A2A-Extensions': geo }, responseHeaders: { 'X-A2A-Extensions': geo } })],
      [rpc({ ...older, headers: { 'X-A2A-Extensions': geo, 'A2A-Extensions': geo } })],
    ],
    skip: [
      [rpc(older)],
      [unanswered(rpc(older))],
      [
        rpc({
          method: 'GetTask',
          params: { id: 'task-1' },
          headers: { 'A2A-Extensions': geo },
          result: v1.task('WORKING'),
        }),
      ],
    ],
    bad: [
      { example: [rpc({ ...older, headers: { 'A2A-Extensions': geo } })], messages: ['early'] },
      {
        example: [rpc({ ...older, headers: { 'A2A-Version': '0.2', 'A2A-Extensions': geo } })],
        messages: ['early'],
      },
      {
        example: [
          rpc({ ...older, headers: { 'X-A2A-Extensions': geo }, responseHeaders: { 'A2A-Extensions': geo } }),
        ],
        messages: ['early'],
      },
    ],
  },
  when: (exchange) => heads(exchange).some(({ headers }) => hasOld(headers) || hasNew(headers)),
  check: (exchange, { report }) => {
    for (const { side, headers } of heads(exchange))
      if (hasNew(headers) && !hasOld(headers))
        report('early', {
          data: { side },
          at: { side, header: 'A2A-Extensions' },
          expected: 'X-A2A-Extensions',
          actual: 'A2A-Extensions',
        });
  },
});
