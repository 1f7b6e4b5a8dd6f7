import { defineRule } from '@plugfest/verifier';
import { grpc, grpcBytes, grpcFrame, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { elsewhere, faultless03, faultless10, gotBytes, taskBytes } from './calls.ts';
import { isWrittenAsJson, messagesOf } from './messages.ts';
import { message, text, varint } from './wire-bytes.ts';

/** Field 1 is the name in 0.3, and the tenant in 1.0. */
const getTask03 = grpcFrame(text(1, 'tasks/task-1'));
const message03 = message(1, text(1, 'm-1'), varint(4, 1), message(5, text(1, 'hello')));
/** An artifact whose name is field 3 and whose parts are field 5, as in 0.3. */
const artifact03 = message(4, text(1, 'artifact-1'), text(3, 'out'), message(5, text(1, 'answer')));

export default defineRule({
  id: 'GRPC-016',
  level: 'MUST',
  party: 'sender',
  summary: 'The messages of a call are those of the package in its path, not of the other version’s.',
  spec: { '0.3': '3.2.2', '1.0': '10.1' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: { other: 'The message makes no sense as one of this call, but does as {type}' },
  why: 'Numbers of fields moved from 0.3 to 1.0, so the receiver reads ids as tenants and parts as texts, mostly without an error. Where only JSON was recorded the recorder may have read the bytes by the wrong proto, so it is a warning.',
  fix: 'Take path and messages from one proto: a2a.v1 up to 0.3, lf.a2a.v1 from 1.0 on.',
  examples: {
    good: [faultless10.get, faultless10.send, faultless03.get, gotBytes()],
    skip: [elsewhere],
    bad: [
      { example: gotBytes({ request: [getTask03] }), messages: ['other'] },
      { example: gotBytes({ response: [taskBytes(artifact03)] }), messages: ['other'] },
      {
        example: [
          grpcBytes({
            method: 'SendMessage',
            request: [grpcFrame(message03)],
            response: [grpcFrame(message(1, text(1, 'task-1'), message(3, varint(1, 2))))],
          }),
        ],
        messages: ['other'],
      },
      {
        example: [
          grpcBytes({
            version: '0.3',
            method: 'GetTask',
            request: [grpcFrame(text(2, 'task-1'))],
            response: [taskBytes()],
          }),
        ],
        messages: ['other'],
      },
      {
        example: [
          grpc({ method: 'GetTask', request: { name: 'tasks/task-1' }, response: v1.task('WORKING') }),
        ],
        messages: ['other'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange) => {
    const messages = messagesOf(exchange);
    if (messages.some(({ json }) => json.state === 'ok' || json.otherPackage !== undefined)) return true;
    return messages.some(({ json }) => isUnread(json.state)) ? 'undecidable' : false;
  },
  check: (exchange, { report }) => {
    for (const { json, at } of messagesOf(exchange))
      if (json.otherPackage !== undefined)
        report('other', {
          ...(isWrittenAsJson(exchange) ? { outcome: 'warn' as const } : {}),
          data: { type: json.otherPackage },
          at,
        });
  },
});
