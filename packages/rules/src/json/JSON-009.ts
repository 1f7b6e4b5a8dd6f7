import type { DecodedExchange } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, grpc, rest, rpcStream, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { memberOwner } from './place-owners.ts';
import { faultless03, faultless10 } from './traffic-without-fault.ts';

/**
 * Protobuf does not tell an array that is empty from one that is absent (JSON-007). The other REQUIRED arrays are those
 * of cards (CARD-018), and `ListTasksResponse.tasks`, which may be empty.
 */
const partsOf = (exchange: DecodedExchange, { type, value }: TypedObject): readonly Json[] | undefined => {
  if (type !== 'Message' && type !== 'Artifact') return undefined;
  const { parts } = value;
  if (parts === undefined && exchange.dialect?.binding === 'GRPC') return [];
  return Array.isArray(parts) ? parts : undefined;
};

export default defineRule({
  id: 'JSON-009',
  level: 'MUST',
  party: 'sender',
  summary: 'Messages and artifacts have at least one part.',
  spec: { '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: { empty: 'The {type} has no parts' },
  why: 'Validating peers refuse the whole message; others show an empty answer and nobody knows what is missing.',
  fix: 'Put at least one part into `parts`, or do not send the object.',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.stream],
    skip: [faultless03.rpc, faultless10.card, faultless10.webhook],
    bad: [
      {
        example: [
          grpc({
            method: 'GetTask',
            request: { id: 'task-1' },
            response: v1.task('WORKING', { history: [v1.message('hello', { parts: [] })] }),
          }),
        ],
        messages: ['empty'],
      },
      {
        example: [deliver(v1.artifactUpdate('', { artifact: v1.artifact('', { parts: [] }) }))],
        messages: ['empty'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            response: v1.task('WORKING', {
              status: v1.status('WORKING', { message: v1.reply('', { parts: [] }) }),
            }),
          }),
        ],
        messages: ['empty'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ message: v1.reply('hi', { parts: [] }) }],
          }),
        ],
        messages: ['empty'],
      },
    ],
  },
  when: (exchange) => someObject(exchange, (object) => partsOf(exchange, object) !== undefined),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        const parts = partsOf(exchange, object);
        if (parts === undefined || parts.length > 0) continue;
        // Of sent messages SEND-001, of artifacts in answers ART-003.
        if (memberOwner(exchange, document, object, 'parts') !== undefined) continue;
        report('empty', {
          data: { type: object.type },
          at: placeIn(document, `${object.pointer}/parts`),
          expected: 'at least one part',
          actual: [...parts],
        });
      }
  },
});
