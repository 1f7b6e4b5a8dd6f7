import type { JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotLegacyTask } from './traffic-without-fault.ts';

const isPart = ({ type }: TypedObject): boolean => type === 'Part';

/** The member that each kind of part carries. */
const contentOf: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['file', 'file'],
  ['data', 'data'],
]);

const withPart = (part: JsonObject) => gotLegacyTask({ artifacts: [v03.artifact('x', { parts: [part] })] });

export default defineRule({
  id: 'JSON-027',
  level: 'MUST',
  party: 'sender',
  summary: 'A part says in `kind` whether it is text, file or data, and has the member of that name.',
  spec: { '0.2': '6.5', '0.3': '6.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    missing: 'The part has no `kind`',
    unknown: 'The `kind` of the part is {found}; there are text, file and data',
    content: 'The part is of kind {kind} but has no `{member}`',
  },
  why: 'The union of parts is told apart by `kind`: SDKs refuse the message, or drop the part and work on an empty one.',
  fix: 'Send `{"kind": "text", "text": …}`, `{"kind": "file", "file": …}` or `{"kind": "data", "data": …}`.',
  examples: {
    good: [
      faultless03.rpc,
      faultless03.stream,
      withPart({ kind: 'data', data: { a: 1 } }),
      withPart({ kind: 'file', file: { uri: 'https://files.example/a' } }),
    ],
    skip: [faultless10.rpc, gotLegacyTask({ artifacts: [] })],
    bad: [
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('hello', { parts: [{ text: 'hello' }] }) },
            result: v03.task('completed'),
          }),
        ],
        messages: ['missing'],
      },
      { example: withPart({ kind: 'image', file: {} }), messages: ['unknown'] },
      { example: withPart({ kind: 'text', content: 'x' }), messages: ['content'] },
      { example: withPart({ kind: 'file', file: null }), messages: ['content'] },
    ],
  },
  when: (exchange) => someObject(exchange, isPart),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        if (!isPart(object)) continue;
        const { value, pointer } = object;
        const member = contentOf.get(value.kind);
        if (member !== undefined && value[member] !== undefined && value[member] !== null) continue;
        if (member !== undefined)
          report('content', {
            data: { kind: value.kind, member },
            at: placeIn(document, pointer),
            expected: `the member ${member}`,
            actual: Object.keys(value),
          });
        else
          report(value.kind === undefined ? 'missing' : 'unknown', {
            data: { found: value.kind },
            at: placeIn(document, `${pointer}/kind`),
            expected: 'text, file or data',
            actual: value.kind,
          });
      }
  },
});
