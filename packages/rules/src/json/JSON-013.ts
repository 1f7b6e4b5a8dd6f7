import type { JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';
import { isMediaType } from '../media-type.ts';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const isLabelled = ({ type, value }: TypedObject): boolean =>
  type === 'Part' &&
  (typeof value.url === 'string' || (typeof value.mediaType === 'string' && value.mediaType !== ''));

const withPart = (part: JsonObject) => gotTask({ artifacts: [v1.artifact('x', { parts: [part] })] });

export default defineRule({
  id: 'JSON-013',
  level: 'SHOULD',
  party: 'sender',
  summary: 'The `url` of a part is an absolute URI and its `mediaType` a media type.',
  spec: { '1.0': '4.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: {
    url: '`url` is {found}, which is no absolute URI',
    mediaType: '`mediaType` is {found}, which is no media type',
  },
  why: 'The receiver is on another host: it can resolve no relative reference, and picks the reader of a file by media type.',
  fix: 'Give the whole URI of the file, and a media type such as `text/plain` or `image/png`.',
  examples: {
    good: [
      withPart({ url: 'https://files.example/a.png', mediaType: 'image/png' }),
      withPart({ text: 'x', mediaType: 'text/plain; charset=utf-8' }),
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('file', { parts: [{ url: 's3://bucket/key' }] }) },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [faultless03.rpc, faultless10.rpc, faultless10.card, withPart({ text: 'x', mediaType: '' })],
    bad: [
      { example: withPart({ url: '/files/a.png' }), messages: ['url'] },
      { example: withPart({ url: '<https://files.example/a.png>' }), messages: ['url'] },
      { example: withPart({ url: 'https:' }), messages: ['url'] },
      { example: withPart({ url: 'a.png', mediaType: 'png' }), messages: ['mediaType', 'url'] },
      { example: withPart({ text: 'x', mediaType: 'markdown' }), messages: ['mediaType'] },
    ],
  },
  when: (exchange) => someObject(exchange, isLabelled),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        if (!isLabelled(object)) continue;
        const { url, mediaType } = object.value;
        if (typeof url === 'string' && !/^[A-Za-z][A-Za-z0-9+.-]*:./.test(url))
          report('url', {
            data: { found: url },
            at: placeIn(document, `${object.pointer}/url`),
            actual: url,
          });
        if (typeof mediaType === 'string' && mediaType !== '' && !isMediaType(mediaType))
          report('mediaType', {
            data: { found: mediaType },
            at: placeIn(document, `${object.pointer}/mediaType`),
            actual: mediaType,
          });
      }
  },
});
