import type { JsonObject } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { v03 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotLegacyTask } from './traffic-without-fault.ts';

const isFile = ({ type, value }: TypedObject): boolean => type === 'Part' && isJsonObject(value.file);

const contentsOf = (file: JsonObject): string[] =>
  ['bytes', 'uri'].filter((name) => file[name] !== undefined && file[name] !== null);

const withFile = (file: JsonObject) =>
  gotLegacyTask({ artifacts: [v03.artifact('x', { parts: [{ kind: 'file', file }] })] });

export default defineRule({
  id: 'JSON-028',
  level: 'MUST',
  party: 'sender',
  summary: 'A file part holds either `bytes` or a `uri`.',
  spec: { '0.2': '6.6', '0.3': '6.6' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    none: 'The file has neither `bytes` nor `uri`, but {found}',
    both: 'The file has both `bytes` and `uri`',
  },
  why: 'Without either the file is not there; with both nobody knows which one is the file.',
  fix: 'Send the content as base64 in `bytes`, or where it can be fetched in `uri`.',
  examples: {
    good: [
      withFile({ bytes: 'aGk=', name: 'a.txt', mimeType: 'text/plain' }),
      withFile({ uri: 'https://files.example/a' }),
    ],
    skip: [faultless03.rpc, faultless10.rpc],
    bad: [
      { example: withFile({ fileWithUri: 'https://files.example/a' }), messages: ['none'] },
      { example: withFile({}), messages: ['none'] },
      { example: withFile({ bytes: null, uri: null }), messages: ['none'] },
      { example: withFile({ bytes: 'aGk=', uri: 'https://files.example/a' }), messages: ['both'] },
    ],
  },
  when: (exchange) => someObject(exchange, isFile),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        const { file } = object.value;
        if (!isFile(object) || !isJsonObject(file)) continue;
        const found = contentsOf(file);
        if (found.length === 1) continue;
        report(found.length === 0 ? 'none' : 'both', {
          data: { found: Object.keys(file).join(', ') || 'no member' },
          at: placeIn(document, `${object.pointer}/file`),
          expected: 'either bytes or uri',
          actual: Object.keys(file),
        });
      }
  },
});
