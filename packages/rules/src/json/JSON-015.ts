import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const modern: Readonly<Record<string, string>> = {
  file: '`raw` or `url` in the part itself',
  mimeType: 'mediaType',
  fileWithBytes: 'raw',
  fileWithUri: 'url',
  bytes: 'raw',
  uri: 'url',
};
const legacyNames = Object.keys(modern);
const isPart = ({ type }: TypedObject): boolean => type === 'Part';

export default defineRule({
  id: 'JSON-015',
  level: 'MUST',
  party: 'sender',
  summary: 'Parts use the 1.0 members for files: `raw` or `url`, `filename` and `mediaType`.',
  spec: { '1.0': 'A.2.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { legacy: 'The part has `{member}`, which 1.0 does not have; it writes {modern}' },
  why: 'A 1.0 reader knows none of the older members: the file or its media type is not there for it.',
  fix: 'Flatten the file into the part: `raw` for bytes or `url` for a link, with `filename` and `mediaType` beside it.',
  examples: {
    good: [
      faultless10.rpc,
      faultless10.rest,
      gotTask({
        artifacts: [
          v1.artifact('x', { parts: [{ raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' }] }),
        ],
      }),
    ],
    skip: [faultless03.rpc, faultless10.card, faultless10.webhook],
    bad: [
      {
        example: gotTask({
          artifacts: [v1.artifact('x', { parts: [{ file: { fileWithUri: 'https://files.example/a' } }] })],
        }),
        messages: ['legacy'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('file', { parts: [{ raw: 'aGk=', mimeType: 'text/plain' }] }) },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['legacy'],
      },
    ],
  },
  when: (exchange) => someObject(exchange, isPart),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        if (!isPart(object)) continue;
        const member = legacyNames.find((name) => name in object.value);
        if (member === undefined) continue;
        report('legacy', {
          data: { member, modern: modern[member] },
          at: placeIn(document, `${object.pointer}/${member}`),
          expected: modern[member] ?? '',
          actual: member,
        });
      }
  },
});
