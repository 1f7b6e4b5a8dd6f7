import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const hasRaw = ({ type, value }: TypedObject): boolean =>
  type === 'Part' && value.raw !== undefined && value.raw !== null;

const standard = /^[A-Za-z0-9+/]*={0,2}$/;
const urlSafe = /^[A-Za-z0-9_-]*={0,2}$/;

const withRaw = (raw: string | number) => gotTask({ artifacts: [v1.artifact('x', { parts: [{ raw }] })] });

export default defineRule({
  id: 'JSON-011',
  level: 'MUST',
  party: 'sender',
  summary: 'The bytes of a `raw` part are base64 text, in the standard alphabet and padded.',
  spec: { '1.0': '4.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: {
    broken: '`raw` is no base64: {found}',
    variant: '`raw` is URL-safe or unpadded base64: {found}',
  },
  why: 'The receiver cannot decode the file. Of the URL-safe and unpadded forms every ProtoJSON parser must cope, but many base64 decoders do not. As ProtoJSON parsers must take those forms, they are a warning.',
  fix: 'Encode the bytes with the alphabet of RFC 4648 section 4, with padding and without line breaks.',
  examples: {
    good: [
      withRaw('aGVsbG8='),
      withRaw(''),
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('file', { parts: [{ raw: 'aGk=', mediaType: 'text/plain' }] }) },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [faultless03.rpc, faultless10.rpc, faultless10.card],
    bad: [
      { example: withRaw('not base64 at all'), messages: ['broken'] },
      { example: withRaw(12), messages: ['broken'] },
      { example: withRaw('aGVsbG8'), messages: ['variant'] },
      { example: withRaw('_-8='), messages: ['variant'] },
      { example: withRaw('aA==='), messages: ['broken'] },
      { example: withRaw('?aGVsbG8'), messages: ['broken'] },
      { example: withRaw('?_-8='), messages: ['broken'] },
    ],
  },
  when: (exchange) => someObject(exchange, hasRaw),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        const { raw } = object.value;
        if (!hasRaw(object) || raw === undefined) continue;
        const isText = typeof raw === 'string';
        if (isText && standard.test(raw) && raw.length % 4 === 0) continue;
        // ProtoJSON parsers have to take this form, so it is read; it should only not be written.
        const variant = isText && (standard.test(raw) || urlSafe.test(raw));
        report(variant ? 'variant' : 'broken', {
          data: { found: raw },
          at: placeIn(document, `${object.pointer}/raw`),
          ...(variant ? { outcome: 'warn' as const } : {}),
          actual: raw,
        });
      }
  },
});
