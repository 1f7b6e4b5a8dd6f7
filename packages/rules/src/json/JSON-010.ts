import type { JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, rest, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotTask } from './traffic-without-fault.ts';

const contents = ['text', 'raw', 'url', 'data'] as const;

/** `data` may be null, which is a value; the others are unset by it. */
const contentsOf = (part: JsonObject): readonly string[] =>
  contents.filter((name) => name in part && (name === 'data' || part[name] !== null));

/** A part of an older version with its `file` object is the subject of JSON-015. */
const isPart = ({ type, value }: TypedObject): boolean => type === 'Part' && !('file' in value);

export default defineRule({
  id: 'JSON-010',
  level: 'MUST',
  party: 'sender',
  summary: 'A part has exactly one of `text`, `raw`, `url` and `data`.',
  spec: { '1.0': '4.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: {
    none: 'The part has no content: none of `text`, `raw`, `url` and `data`',
    several: 'The part has several contents: {found}',
  },
  // Bytes of protobuf say one member of a oneof: the last.
  where: { several: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'The member is what tells the sort of a part. Without it the content is lost; with two, readers disagree which one counts.',
  fix: 'Set exactly one content member, and make several parts of several contents.',
  examples: {
    good: [
      faultless10.rpc,
      faultless10.rest,
      faultless10.stream,
      gotTask({
        artifacts: [
          v1.artifact('x', {
            parts: [
              { data: null },
              { raw: 'aGk=', filename: 'a.txt' },
              { url: 'https://files.example/a', mediaType: 'text/plain' },
            ],
          }),
        ],
      }),
    ],
    skip: [faultless03.rpc, faultless10.card, faultless10.webhook],
    bad: [
      {
        example: gotTask({ artifacts: [v1.artifact('x', { parts: [{ text: null }] })] }),
        messages: ['none'],
      },
      {
        example: gotTask({ artifacts: [v1.artifact('x', { parts: [{ content: 'x' }] })] }),
        messages: ['none'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello', { parts: [{ text: 'hello', data: { a: 1 } }] }) },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['several'],
      },
      {
        example: [
          grpc({
            method: 'GetTask',
            request: { id: 'task-1' },
            response: v1.task('COMPLETED', {
              artifacts: [v1.artifact('x', { parts: [{ filename: 'x.txt' }] })],
            }),
          }),
        ],
        messages: ['none'],
      },
    ],
  },
  when: (exchange) => someObject(exchange, isPart),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        if (!isPart(object)) continue;
        const found = contentsOf(object.value);
        if (found.length === 1) continue;
        report(found.length === 0 ? 'none' : 'several', {
          data: { found: found.join(', ') },
          at: placeIn(document, object.pointer),
          expected: 'one of text, raw, url, data',
          actual: Object.keys(object.value),
        });
      }
  },
});
