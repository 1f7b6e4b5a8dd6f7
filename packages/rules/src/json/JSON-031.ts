import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { sentTask } from './oldest-traffic.ts';
import { faultless03, faultless10 } from './traffic-without-fault.ts';

const isPart = ({ type }: TypedObject): boolean => type === 'Part';
const types: ReadonlySet<unknown> = new Set(['text', 'file', 'data']);

export default defineRule({
  id: 'JSON-031',
  level: 'MUST',
  party: 'sender',
  summary: 'In 0.1 a part says in `type` whether it is text, file or data, and has the member of that name.',
  spec: { '0.1': '6.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    type: 'The `type` of the part is {found}; there are text, file and data',
    content: 'The part is of type {type} but has no usable `{type}`',
  },
  why: 'The peer cannot tell what the part is, and works on an empty message.',
  fix: 'Send `{"type": "text", "text": …}`, `{"type": "file", "file": …}` or `{"type": "data", "data": …}`; `kind` came with 0.2.',
  examples: {
    good: [
      sentTask({ type: 'text', text: 'hello' }),
      sentTask({ type: 'data', data: [1] }),
      sentTask({ type: 'file', file: { bytes: 'aGk=' } }),
      sentTask({ type: 'file', file: { uri: 'https://files.example/a' } }),
      sentTask({ type: 'data', data: { answer: 4 } }),
    ],
    skip: [faultless03.rpc, faultless10.rpc],
    bad: [
      { example: sentTask({ kind: 'text', text: 'hello' }), messages: ['type'] },
      { example: sentTask({ type: 'file', file: { name: 'a.txt' } }), messages: ['content'] },
      { example: sentTask({ type: 'data', data: 'text' }), messages: ['content'] },
      { example: sentTask({ type: 'data', data: null }), messages: ['content'] },
      { example: sentTask({ type: 'text', text: 5 }), messages: ['content'] },
      { example: sentTask({ type: 'file', file: 'a.txt' }), messages: ['content'] },
      { example: sentTask({ type: 'file', file: { bytes: 5 } }), messages: ['content'] },
    ],
  },
  when: (exchange) => someObject(exchange, isPart),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        if (!isPart(object)) continue;
        const { value, pointer } = object;
        if (!types.has(value.type)) {
          report('type', {
            data: { found: value.type },
            at: placeIn(document, `${pointer}/type`),
            expected: 'text, file or data',
            actual: value.type,
          });
          continue;
        }
        const { text, file, data } = value;
        const usable =
          value.type === 'text'
            ? typeof text === 'string'
            : value.type === 'file'
              ? isJsonObject(file) && (typeof file.bytes === 'string' || typeof file.uri === 'string')
              : typeof data === 'object' && data !== null;
        if (!usable)
          report('content', {
            data: { type: value.type },
            at: placeIn(document, pointer),
            actual: Object.keys(value),
          });
      }
  },
});
