import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf, sentMessage } from '../sent-message.ts';
import { cite, extensionsOf, geo, requested } from './extensions.ts';

const message = v1.message('Where am I?', { extensions: [geo] });
const send = {
  method: 'SendMessage',
  params: { message },
  result: { task: v1.task('COMPLETED') },
} as const;

export default defineRule({
  id: 'EXT-007',
  level: 'MUST',
  party: 'client',
  summary: 'A message uses only extensions that its request asks for.',
  spec: { '1.0': '4.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    none: 'The message uses {extension}, and the request has no `A2A-Extensions`',
    other: 'The message uses {extension}, which `A2A-Extensions` of the request does not name',
  },
  why: 'The extension stays inactive: the agent ignores its data, or takes it for plain metadata.',
  fix: 'Name each extension of the message in the header `A2A-Extensions` (gRPC: metadata) of the same request.',
  examples: {
    good: [
      [rpc({ ...send, headers: { 'A2A-Extensions': geo } })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          headers: { 'A2A-Extensions': `${cite}, ${geo}` },
          body: send.params,
          response: send.result,
        }),
      ],
    ],
    skip: [[rpc({ ...send, params: { message: v1.message('Where am I?') } })]],
    bad: [
      { example: [rpc(send)], messages: ['none'] },
      { example: [rpc({ ...send, headers: { 'A2A-Extensions': cite } })], messages: ['other'] },
      {
        example: [rpc({ ...send, params: { message: v1.message('Where am I?', { extensions: [geo, 7] }) } })],
        messages: ['none'],
      },
    ],
  },
  when: (exchange) => extensionsOf(sentMessage(exchange)?.message.value).length > 0,
  check: (exchange, { report }) => {
    const sent = sentMessage(exchange);
    if (sent === undefined) return;
    const asked = requested(exchange);
    for (const extension of new Set(extensionsOf(sent.message.value)))
      if (!asked.has(extension))
        report(asked.size === 0 ? 'none' : 'other', {
          data: { extension },
          at: placeOf(sent, '/extensions'),
          expected: `A2A-Extensions: ${extension}`,
        });
  },
});
