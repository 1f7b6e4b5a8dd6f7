import { header, type RawHeaders } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';

const older = {
  version: '0.3',
  method: 'tasks/get',
  params: { id: 'task-1' },
  result: v03.task('working'),
} as const;
const geo = 'https://extensions.example/geo/v1';

const sides = ['request', 'response'] as const;

/** How a head names extensions: as before 1.0, only as in 1.0, or not at all. */
function naming(headers: RawHeaders | undefined): 'old' | 'new' | undefined {
  if (headers === undefined) return undefined;
  if (header(headers, 'x-a2a-extensions') !== undefined) return 'old';
  return header(headers, 'a2a-extensions') === undefined ? undefined : 'new';
}

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
  when: ({ captured }) => sides.some((side) => naming(captured[side]?.headers) !== undefined),
  check: ({ captured }, { report }) => {
    for (const side of sides)
      if (naming(captured[side]?.headers) === 'new')
        report('early', {
          data: { side },
          at: { side, header: 'A2A-Extensions' },
          expected: 'X-A2A-Extensions',
          actual: 'A2A-Extensions',
        });
  },
});
