import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { wasServed } from '../refusal.ts';
import { freshOutput } from './extended-objects.ts';
import { activated, cite, geo, requested } from './extensions.ts';

/** Extensions that were asked for and show in the answer: they were active. */
const none: ReadonlySet<string> = new Set();

function shown(exchange: DecodedExchange): ReadonlySet<string> {
  const asked = requested(exchange);
  if (asked.size === 0 || !wasServed(exchange)) return none;
  const used = freshOutput(exchange).flatMap(({ extensions }) => extensions);
  return new Set(used.filter((uri) => asked.has(uri)));
}

const headers = { 'A2A-Extensions': `${geo}, ${cite}` } as const;
const reply = v1.reply('There you are', { extensions: [geo] });
const send = {
  method: 'SendMessage',
  params: { message: v1.message('Where am I?') },
  headers,
  result: { message: reply },
} as const;

export default defineRule({
  id: 'EXT-002',
  level: 'SHOULD',
  party: 'server',
  summary: 'An answer made with extensions names them in `A2A-Extensions`.',
  spec: { '1.0': 'extensions topic' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    missing: 'The answer uses {extensions}, which was asked for, and has no `A2A-Extensions`',
    incomplete: '`A2A-Extensions` of the answer does not name {extensions}, which it uses',
  },
  why: 'The client cannot tell whether its extension was active, or the agent only wrote something similar.',
  fix: 'Send `A2A-Extensions` with the URIs of the extensions that were activated for the request.',
  examples: {
    good: [
      [rpc({ ...send, responseHeaders: { 'A2A-Extensions': geo } })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          headers,
          body: send.params,
          response: send.result,
          responseHeaders: { 'A2A-Extensions': geo },
        }),
      ],
    ],
    skip: [
      [rpc({ ...send, result: { message: v1.reply('There you are') } })],
      [rpc({ ...send, headers: {} })],
      [rpc({ ...send, status: 500 })],
    ],
    bad: [
      { example: [rpc(send)], messages: ['missing'] },
      {
        example: [rpc({ ...send, responseHeaders: { 'A2A-Extensions': cite } })],
        messages: ['incomplete'],
      },
      {
        example: [
          rpc({
            ...send,
            result: { message: v1.reply('There you are', { extensions: [geo, cite] }) },
            responseHeaders: { 'A2A-Extensions': 'urn:example:audit, urn:example:trace' },
          }),
        ],
        messages: ['incomplete'],
      },
    ],
  },
  when: (exchange) => shown(exchange).size > 0,
  check: (exchange, { report }) => {
    const named = activated(exchange);
    const extensions = [...shown(exchange)].filter((uri) => named?.has(uri) !== true).join(', ');
    if (extensions === '') return;
    report(named === undefined ? 'missing' : 'incomplete', {
      data: { extensions },
      at: { side: 'response', header: 'A2A-Extensions' },
      expected: extensions,
      ...(named === undefined ? {} : { actual: [...named].join(', ') }),
    });
  },
});
