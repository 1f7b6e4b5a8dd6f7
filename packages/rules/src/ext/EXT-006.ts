import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1 } from '@plugfest/verifier/examples';
import { wasServed } from '../refusal.ts';
import { freshOutput } from './extended-objects.ts';
import { activated, cardWith, geo, geo2 } from './extensions.ts';
import { otherVersions } from './other-versions.ts';

const card = getCard(cardWith({ uri: geo }));
const send = {
  method: 'SendMessage',
  params: { message: v1.message('Where am I?') },
  headers: { 'A2A-Extensions': geo2 },
  result: { message: v1.reply('There you are') },
} as const;

export default defineRule({
  id: 'EXT-006',
  level: 'MUST',
  party: 'server',
  summary:
    'An agent that does not have the version of an extension that is asked for uses no other one in its place.',
  spec: { '1.0': '4.6.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { fallback: 'The client asks for {asked}, and the agent uses {has} in its place' },
  why: 'Another URI stands for a breaking change: the client reads the data by the rules of the version it asked for.',
  fix: 'Compare the URIs as a whole, and leave the extension inactive where none is the same.',
  examples: {
    good: [[card, rpc(send)]],
    skip: [
      [card, rpc({ ...send, headers: { 'A2A-Extensions': geo } })],
      [getCard(cardWith({ uri: geo }, { uri: geo2 })), rpc(send)],
      [rpc(send)],
      // Not everything that ends alike, or in a digit, is a version.
      [
        getCard(
          cardWith({ uri: 'urn:example:geo' }, { uri: 'urn:example:map1' }, { uri: 'urn:example:plan:1a' }),
        ),
        rpc({
          ...send,
          headers: { 'A2A-Extensions': 'urn:example:cite, urn:example:map2, urn:example:plan:2b' },
        }),
      ],
    ],
    bad: [
      {
        example: [
          getCard(cardWith({ uri: 'urn:example:geo:1.0' })),
          rpc({
            ...send,
            headers: { 'A2A-Extensions': 'urn:example:geo:2.0' },
            responseHeaders: { 'A2A-Extensions': 'urn:example:geo:1.0' },
          }),
        ],
        messages: ['fallback'],
      },
      {
        example: [
          getCard(cardWith({ uri: `${geo}/` })),
          rpc({
            ...send,
            responseHeaders: { 'A2A-Extensions': `${geo}/` },
            result: { message: v1.reply('There you are', { extensions: [`${geo}/`] }) },
          }),
        ],
        messages: ['fallback'],
      },
      {
        example: [card, rpc({ ...send, responseHeaders: { 'A2A-Extensions': geo } })],
        messages: ['fallback'],
      },
      {
        example: [
          card,
          rpc({ ...send, result: { message: v1.reply('There you are', { extensions: [geo] }) } }),
        ],
        messages: ['fallback'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    otherVersions(exchange, conversation).length > 0 && wasServed(exchange),
  check: (exchange, { conversation, report }) => {
    const active = activated(exchange);
    const used = freshOutput(exchange);
    const inHeader = { side: 'response', header: 'A2A-Extensions' } as const;
    for (const { asked, has } of otherVersions(exchange, conversation)) {
      const isActive = active?.has(has) === true;
      const at = isActive ? inHeader : used.find(({ extensions }) => extensions.includes(has))?.at;
      if (at === undefined) continue;
      report('fallback', {
        data: { asked, has },
        at,
        expected: `${asked}, or no extension`,
        actual: has,
      });
    }
  },
});
