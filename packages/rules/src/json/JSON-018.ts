import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf } from '../refusal.ts';
import { documentsOf, fieldNamed } from './documents.ts';
import { schema10 } from './schema.ts';
import { faultless03, faultless10 } from './traffic-without-fault.ts';

const none: ReadonlySet<string> = new Set();

/** Names in the request that its types do not have. */
function unknownMembers(exchange: DecodedExchange): ReadonlySet<string> {
  let names: Set<string> | undefined;
  for (const { side, objects } of documentsOf(exchange).all) {
    if (side !== 'request') continue;
    for (const { type, value } of objects)
      for (const name in value)
        if (fieldNamed(schema10, type, name) === undefined) {
          names ??= new Set();
          names.add(name);
        }
  }
  return names ?? none;
}

/** The text of a refusal; undefined where the request was not refused. */
function refusalText(exchange: DecodedExchange): string | undefined {
  const { response } = exchange;
  const error = refusalOf(exchange);
  if (error !== undefined) return JSON.stringify(error.value);
  return response !== undefined && response.status >= 400 ? response.json.text : undefined;
}

const word = /[A-Za-z0-9_$]/;

/** Does the text name the member as a word of its own? */
function names(text: string, member: string): boolean {
  for (let at = text.indexOf(member); at !== -1; at = text.indexOf(member, at + 1))
    if (!word.test(text[at - 1] ?? '') && !word.test(text[at + member.length] ?? '')) return true;
  return false;
}

const withUnknown = v1.message('hello', { futureMember: true });

export default defineRule({
  id: 'JSON-018',
  level: 'SHOULD',
  party: 'sender',
  summary: 'Members that a receiver does not know are ignored, not refused.',
  spec: { '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: {
    refused: 'The request was refused because of `{member}`, a member that is not of this version',
  },
  why: 'A peer of the next minor version, or a gateway that adds a member, cannot talk to this receiver at all.',
  fix: 'Parse with unknown fields ignored.',
  examples: {
    good: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: withUnknown },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: withUnknown },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [
      faultless10.rpc,
      faultless03.rpc,
      faultless10.card,
      // Another reason, or another word.
      ...['No such skill', 'No futureMembers here', 'my_futureMember'].map((text) => [
        rpc({
          method: 'SendMessage',
          params: { message: withUnknown },
          error: { code: -32602, message: text },
        }),
      ]),
    ],
    bad: [
      {
        example: [
          rpc({
            method: 'SendMessage',
            params: { message: withUnknown },
            error: { code: -32602, message: 'Of futureMembers: futureMember is unknown' },
          }),
        ],
        messages: ['refused'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: withUnknown },
            status: 400,
            responseHeaders: { 'Content-Type': 'text/plain' },
            responseText: 'futureMember',
          }),
        ],
        messages: ['refused'],
      },
      {
        example: [
          rpc({
            method: 'SendMessage',
            params: { message: withUnknown },
            error: { code: -32602, message: 'unknown field `futureMember`' },
          }),
        ],
        messages: ['refused'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: withUnknown },
            status: 400,
            response: {
              error: {
                code: 400,
                status: 'INVALID_ARGUMENT',
                message: 'no field "futureMember"',
                details: [],
              },
            },
          }),
        ],
        messages: ['refused'],
      },
    ],
  },
  when: (exchange) => {
    if (exchange.response === undefined) return false;
    const unknown = unknownMembers(exchange);
    if (unknown.size === 0) return false;
    const text = refusalText(exchange);
    // A refusal that names no unknown member may have any other reason.
    return text === undefined || [...unknown].some((member) => names(text, member));
  },
  check: (exchange, { report }) => {
    const text = refusalText(exchange);
    if (text === undefined) return;
    const member = [...unknownMembers(exchange)].find((name) => names(text, name));
    report('refused', {
      data: { member },
      at: { side: 'response', pointer: refusalOf(exchange)?.pointer ?? '' },
      expected: 'the member ignored',
      actual: text,
    });
  },
});
