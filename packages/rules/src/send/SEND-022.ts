import type { DecodedExchange, ErrorView } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { lackingMember } from '../json/lacking-member.ts';
import { refusalOf } from '../refusal.ts';
import { isSend } from '../sent-message.ts';

const badRequest = 'type.googleapis.com/google.rpc.BadRequest';
const violation = (field: string): JsonObject => ({
  '@type': badRequest,
  fieldViolations: [{ field, description: 'Required' }],
});
const params = { message: v1.message('hello', { messageId: undefined }) };
const send = { method: 'SendMessage', params, purpose: 'probe' } as const;

/** The status of a gRPC call, or of an HTTP+JSON one, that refuses the arguments. */
const refusesArguments = ({ dialect }: DecodedExchange, { name, code }: ErrorView): boolean =>
  name === 'InvalidParamsError' ||
  (name === undefined &&
    code === (dialect?.binding === 'GRPC' ? 3 : dialect?.binding === 'HTTP+JSON' ? 400 : -32602));

/** Some BadRequest among the details names a field, whichever. */
const namesField = ({ details }: ErrorView): boolean =>
  Array.isArray(details) &&
  details.some(
    (item: Json) =>
      isJsonObject(item) &&
      item['@type'] === badRequest &&
      Array.isArray(item.fieldViolations) &&
      item.fieldViolations.some(
        (each: Json) => isJsonObject(each) && typeof each.field === 'string' && each.field !== '',
      ),
  );

/** `messageId`, `message_id` and "message id" name the same member. */
const plain = (text: string): string => text.replace(/[_ ]/g, '').toLowerCase();

export default defineRule({
  id: 'SEND-022',
  level: 'SHOULD',
  party: 'server',
  summary: 'The refusal of a send that lacks a member says which one.',
  spec: { '1.0': '3.3.2, 9.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  shown: 'failure',
  messages: { vague: 'The {type} lacks `{member}`, and the refusal names no field: {found}' },
  why: 'The author of the client has to guess which of its members the agent does not like.',
  fix: 'Add a google.rpc.BadRequest with a `fieldViolations` entry for each member, or at least name the member in the message.',
  examples: {
    good: [
      [rpc({ ...send, error: { code: -32602, message: 'Invalid', data: [violation('message.messageId')] } })],
      // Some field, whichever.
      [rpc({ ...send, error: { code: -32602, message: 'Invalid', data: [violation('message')] } })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          purpose: 'probe',
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'message_id is required'),
        }),
      ],
      [rpc({ ...send, error: { code: -32602, message: 'The message id cannot be empty' } })],
    ],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          error: { code: -32602, message: 'Invalid parameters' },
        }),
      ],
      [rpc({ ...send, error: { code: -32603, message: 'Internal error' } })],
    ],
    bad: [
      {
        example: [rpc({ ...send, error: { code: -32602, message: 'Invalid parameters' } })],
        messages: ['vague'],
      },
      ...[violation(''), { ...violation('message'), '@type': 'type.example/Hint' }].map((hint) => ({
        example: [rpc({ ...send, error: { code: -32602, message: 'Invalid parameters', data: [hint] } })],
        messages: ['vague'] as const,
      })),
    ],
  },
  when: (exchange) => {
    const error = refusalOf(exchange);
    if (error === undefined || !isSend(exchange) || !refusesArguments(exchange, error)) return false;
    return lackingMember(exchange) !== undefined;
  },
  check: (exchange, { report }) => {
    const error = refusalOf(exchange);
    const lacking = lackingMember(exchange);
    if (error === undefined || lacking === undefined || namesField(error)) return;
    const { type, member } = lacking;
    if (plain(JSON.stringify(error.value)).includes(plain(member))) return;
    report('vague', {
      data: { type, member, found: error.message },
      at: { side: 'response', pointer: error.pointer },
      expected: `the name ${member}`,
      actual: error.message,
    });
  },
});
