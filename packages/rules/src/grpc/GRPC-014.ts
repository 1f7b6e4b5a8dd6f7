import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcStream, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from '../json/documents.ts';
import { memberOwner } from '../json/place-owners.ts';
import { elsewhere, faultless03, faultless10 } from './calls.ts';
import { type CallMessage, messagesOf } from './messages.ts';

const get = { method: 'GetTask', request: { id: 'task-1' } } as const;
const send = { method: 'SendMessage', request: { message: v1.message('hello') } } as const;

/** Enum fields that the proto marks as REQUIRED, by type. Their zero is not sent, or reads as if it were not. */
const enums: Readonly<Record<string, string>> = { TaskStatus: 'state', Message: 'role' };
const contents = ['text', 'raw', 'url', 'data'] as const;

const unsetEnum = ({ type, value }: TypedObject): string | undefined => {
  const name = enums[type];
  return name !== undefined && value[name] === undefined ? name : undefined;
};

const isUnsetPart = ({ type, value }: TypedObject): boolean =>
  type === 'Part' && !contents.some((name) => name in value);

const answers = ['task', 'message', 'statusUpdate', 'artifactUpdate'] as const;

/** An event with nothing in it that 1.0 has; the answer to a send is the matter of SEND-003. */
const isUnsetEvent = ({ json: { value }, at }: CallMessage): boolean =>
  at.side === 'response' &&
  at.event !== undefined &&
  isJsonObject(value) &&
  !answers.some((name) => name in value);

export default defineRule({
  id: 'GRPC-014',
  level: 'MUST',
  party: 'sender',
  summary: 'Required enums are set, and so is one member of each required oneof: of parts and events.',
  spec: { '1.0': '5.7' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: {
    enum: 'The {type} has no {field}: it is the zero of its enum',
    part: 'The part has no content',
    event: 'The event has neither a task nor a message nor an update in it',
  },
  why: 'protobuf reads what is not set as zero or nothing, and no reader complains: a role that nobody set looks like an unknown one, an event like silence.',
  fix: 'Set state, role and content; a value that your own model does not have must be mapped to one of the protocol.',
  examples: {
    good: [faultless10.get, faultless10.send, faultless10.stream],
    skip: [
      faultless03.get,
      elsewhere,
      [grpc({ method: 'DeleteTaskPushNotificationConfig', request: { taskId: 'task-1', id: 'config-1' } })],
    ],
    bad: [
      {
        example: [
          grpc({
            ...get,
            response: v1.task('WORKING', {
              history: [v1.message('hello', { role: 'ROLE_UNSPECIFIED' }), v1.message('hello')],
            }),
          }),
        ],
        messages: ['enum'],
      },
      {
        example: [
          grpc({
            ...send,
            response: {
              task: v1.task('COMPLETED', {
                status: v1.status('COMPLETED', { message: v1.reply('hi', { role: undefined }) }),
              }),
            },
          }),
        ],
        messages: ['enum'],
      },
      {
        example: [
          grpc({
            ...get,
            response: v1.task('COMPLETED', {
              artifacts: [v1.artifact('x', { parts: [{ mediaType: 'text/plain' }] })],
            }),
          }),
        ],
        messages: ['part'],
      },
      {
        example: [
          grpcStream({
            method: 'SendStreamingMessage',
            request: send.request,
            events: [{ task: v1.task('WORKING') }, {}, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['event'],
      },
    ],
  },
  when: (exchange) => {
    if (messagesOf(exchange).some((message) => isUnsetEvent(message))) return true;
    return someObject(exchange, ({ type }) => enums[type] !== undefined || type === 'Part');
  },
  check: (exchange, { report }) => {
    for (const message of messagesOf(exchange))
      if (isUnsetEvent(message)) report('event', { at: message.at });
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        const field = unsetEnum(object);
        // The state that an answer shows, and the role of what a client sends, are LIFE-001 and SEND-001.
        if (field !== undefined && memberOwner(exchange, document, object, field) === undefined)
          report('enum', {
            data: { type: object.type, field },
            at: placeIn(document, `${object.pointer}/${field}`),
          });
        if (isUnsetPart(object)) report('part', { at: placeIn(document, object.pointer) });
      }
  },
});
