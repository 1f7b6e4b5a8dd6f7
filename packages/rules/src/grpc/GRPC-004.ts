import { isOfOtherPackage, type UnknownField } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcBytes, grpcError, grpcFrame, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import {
  elsewhere,
  faultless03,
  faultless10,
  getTaskBytes,
  gotBytes,
  gotBytes03,
  taskBytes,
} from './calls.ts';
import { type CallMessage, isWrittenAsJson, messagesOf } from './messages.ts';
import { message, text, varint } from './wire-bytes.ts';

const foreignFields = ({ json }: CallMessage): readonly UnknownField[] =>
  (json.unknownFields ?? []).filter(isOfOtherPackage);

/** An artifact of 1.0 with field 7, which held its extensions in 0.3. */
const mixedArtifact = message(
  4,
  text(1, 'artifact-1'),
  message(4, text(1, 'answer')),
  text(7, 'urn:example'),
);

/** A 0.3 message with the ids of related tasks, for which only the later drafts of its proto have a field. */
const referring = gotBytes03({
  method: 'SendMessage',
  request: [
    grpcFrame(message(1, text(1, 'm-hello'), varint(4, 1), message(5, text(1, 'hello')), text(8, 'task-0'))),
  ],
  response: [grpcFrame(message(1, text(1, 'task-1'), text(2, 'ctx-1'), message(3, varint(1, 3))))],
});

/** 0.3 has `referenceTaskIds` in its text and JSON Schema (section 6.4), and its proto lacks the field. */
const isLaterAddition = (field: UnknownField): boolean =>
  field.message === 'a2a.v1.Message' && field.number === 8;

export default defineRule({
  id: 'GRPC-004',
  level: 'MUST',
  party: 'sender',
  summary:
    'Every message is one by the proto of its version, and says nothing in fields of the other version.',
  spec: { '0.3': '3.2.2', '1.0': '10.1' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: {
    unreadable: 'The message cannot be read: {problem}',
    foreign: 'The {type} has the field {field}, which only the other version has',
    count: 'There are {found} messages where the method has one',
  },
  why: 'Readers give up on a message that breaks the format, and drop fields that their proto does not have, without a word. Where only JSON was recorded the fault may be the recorder’s, so names of the other version give a warning; so does the field 8 of a 0.3 Message, `reference_task_ids`, which 0.3 has in its text and forgot in its proto.',
  fix: 'Write messages with code generated from the a2a.proto of the version whose service is called.',
  examples: {
    good: [faultless10.get, faultless10.stream, faultless03.send, gotBytes()],
    skip: [
      elsewhere,
      // Nothing was sent yet, or a recorder of JSON left out what was.
      [grpcBytes({ method: 'GetTask', request: [] })],
      [grpcError({ method: 'ListTasks', status: 'OK' })],
    ],
    bad: [
      {
        example: gotBytes({ response: [grpcFrame(Uint8Array.of(0x0a, 0x7f, 0x00))] }),
        messages: ['unreadable'],
      },
      { example: gotBytes({ request: [grpcFrame(text(2, 'task-1'), 1)] }), messages: ['unreadable'] },
      { example: gotBytes({ response: [grpcFrame(varint(1, 7))] }), messages: ['unreadable'] },
      { example: gotBytes({ response: [taskBytes(mixedArtifact)] }), messages: ['foreign'] },
      { example: gotBytes03({ response: [grpcFrame(varint(1, 7))] }), messages: ['unreadable'] },
      {
        example: gotBytes03({ request: [grpcFrame(Buffer.concat([text(1, 'tasks/task-1'), varint(3, 5)]))] }),
        messages: ['foreign'],
      },
      { example: referring, messages: ['foreign'], outcomes: ['warn'] },
      { example: gotBytes03({ response: [taskBytes(), taskBytes()] }), messages: ['count'] },
      { example: gotBytes({ response: [taskBytes(), taskBytes()] }), messages: ['count'] },
      { example: gotBytes({ response: [] }), messages: ['count'] },
      { example: gotBytes({ request: [] }), messages: ['count'] },
      { example: gotBytes({ request: [], response: [] }), messages: ['count', 'count'] },
      { example: gotBytes({ request: [getTaskBytes, getTaskBytes] }), messages: ['count'] },
      {
        example: [
          grpc({
            method: 'GetTask',
            request: { id: 'task-1', name: 'tasks/task-1' },
            response: v1.task('WORKING'),
          }),
        ],
        messages: ['foreign'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange) => {
    const { operation, request, response } = exchange;
    if (operation === undefined) return false;
    const messages = messagesOf(exchange);
    if (messages.some(({ json }) => !isUnread(json.state))) return true;
    if (messages.length > 0) return 'undecidable';
    const { storedBytes, totalBytes } = exchange.captured.request.body;
    if (storedBytes < totalBytes) return 'undecidable';
    return !isWrittenAsJson(exchange) && request.messages === 0 && response?.grpcStatus?.code === 0;
  },
  check: (exchange, { report }) => {
    const { request, response } = exchange;
    for (const message of messagesOf(exchange)) {
      const { json, at } = message;
      // What was meant for the other package is the subject of GRPC-016.
      if (json.otherPackage !== undefined) continue;
      if (json.state === 'invalid') report('unreadable', { data: { problem: json.problem }, at });
      const [field] = foreignFields(message);
      if (field !== undefined)
        report('foreign', {
          ...(isWrittenAsJson(exchange) || isLaterAddition(field) ? { outcome: 'warn' as const } : {}),
          data: { type: field.message, field: field.name ?? field.number },
          at: { ...at, pointer: field.pointer },
        });
    }
    const { endedAtNs, storedBytes, totalBytes } = exchange.captured.request.body;
    const ended = endedAtNs !== undefined && storedBytes === totalBytes;
    // What a recorder of JSON left out was there all the same.
    const least = isWrittenAsJson(exchange) ? 0 : 1;
    if (request.messages !== undefined && (request.messages > 1 || (request.messages < least && ended)))
      report('count', { data: { found: request.messages }, at: { side: 'request' }, expected: '1 message' });
    const answered = response?.grpcStatus?.code === 0 && response.complete && response.events === undefined;
    const { messages = 1 } = response ?? {};
    if (answered && (messages > 1 || messages < least))
      report('count', {
        data: { found: messages },
        at: { side: 'response' },
        expected: '1 message',
      });
  },
});
