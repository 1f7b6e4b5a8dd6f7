import { pointerToken } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { deliver, grpc, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, type TypedObject } from '../json/documents.ts';
import { extendedObjects } from './extended-objects.ts';
import { activated, geo, requested } from './extensions.ts';

/** A name that is a URI: no version of A2A has such a member, so that an extension made it. */
const isUri = (name: string): boolean => name.includes(':') && /^(?:https?:\/\/|urn:)/i.test(name);

function* addedTo({ value }: TypedObject): Generator<string> {
  for (const name in value) if (isUri(name)) yield name;
}

const hasAdded = ({ value }: TypedObject): boolean => {
  for (const name in value) if (isUri(name)) return true;
  return false;
};

const headers = { 'A2A-Extensions': geo } as const;
const responseHeaders = headers;
const place = { latitude: 41.9, longitude: 12.5 } as const;
const send = (more: Parameters<typeof v1.message>[1]) =>
  rpc({
    method: 'SendMessage',
    headers,
    responseHeaders,
    params: { message: v1.message('Where am I?', { extensions: [geo], ...more }) },
    result: { task: v1.task('COMPLETED') },
  });

export default defineRule({
  id: 'EXT-009',
  level: 'MUST',
  party: 'sender',
  summary: 'Extensions add no members to the objects of A2A; their data lies in `metadata`.',
  spec: { '1.0': 'extensions topic' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: { member: 'The {type} has the member {name}, which an extension added' },
  why: 'Strict parsers refuse the whole object, and gRPC and typed SDKs lose the member without a word.',
  fix: 'Put the data into the `metadata` of the object, under the URI of the extension.',
  examples: {
    good: [
      [send({ metadata: { [geo]: place } })],
      [
        grpc({
          method: 'GetTask',
          metadata: { 'a2a-extensions': geo },
          request: { id: 'task-1' },
          response: v1.task('WORKING', { metadata: { [geo]: place } }),
        }),
      ],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers,
          responseHeaders,
          response: v1.task('WORKING', { metadata: { [geo]: place } }),
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        rpc({
          method: 'GetTask',
          params: { id: 'task-1' },
          result: v1.task('WORKING', { future: true, extensions: [geo] }),
        }),
      ],
    ],
    bad: [
      { example: [send({ [geo]: place })], messages: ['member'] },
      {
        example: [deliver({ task: v1.task('WORKING', { 'http://extensions.example/geo/v1': place }) })],
        messages: ['member'],
      },
    ],
  },
  // Only where extensions are in play; of other unknown members nobody can tell who made them.
  when: (exchange) => {
    if (requested(exchange).size > 0 || activated(exchange) !== undefined) return true;
    if (extendedObjects(exchange).length > 0) return true;
    return documentsOf(exchange).all.some(({ objects }) => objects.some(hasAdded));
  },
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects)
        for (const name of addedTo(object))
          report('member', {
            data: { type: object.type, name },
            at: placeIn(document, `${object.pointer}/${pointerToken(name)}`),
            expected: `metadata["${name}"]`,
          });
  },
});
