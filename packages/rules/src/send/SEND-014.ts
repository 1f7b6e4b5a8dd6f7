import type { DecodedExchange, PartView, Payload } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { acceptedModes, sentMessage } from '../sent-message.ts';
import { isAccepted } from './accepted-media.ts';

function partsOf(payload: Payload, isNew: boolean): readonly PartView[] {
  switch (payload.kind) {
    // A task that goes on has output of earlier sends, too, which accepted other types.
    case 'task':
      return isNew ? (payload.task.artifacts ?? []).flatMap(({ parts }) => parts) : [];
    case 'artifactUpdate':
      return payload.update.artifact?.parts ?? [];
    case 'message':
      return payload.message.parts;
    default:
      return [];
  }
}

/** Parts of the output that say their media type. */
function labelledOutput(exchange: DecodedExchange) {
  const isNew = !sentMessage(exchange)?.message.taskId;
  return exchange.payloads
    .filter(({ side }) => side === 'response')
    .flatMap((payload) =>
      partsOf(payload, isNew)
        .filter(({ mediaType }) => Boolean(mediaType))
        .map((part) => ({ part, event: payload.event })),
    );
}

const configuration = { acceptedOutputModes: ['text/plain', 'image/*'] };
const params = { message: v1.message('draw'), configuration };
const drawn = (mediaType: string) =>
  v1.task('COMPLETED', {
    artifacts: [v1.artifact('x', { parts: [{ url: 'https://files.example/x', mediaType }] })],
  });
const send = (mediaType: string, accepted = configuration.acceptedOutputModes) =>
  rpc({
    method: 'SendMessage',
    params: { ...params, configuration: { acceptedOutputModes: accepted } },
    result: { task: drawn(mediaType) },
  });
const film = { url: 'https://files.example/x', mediaType: 'video/mp4' };

export default defineRule({
  id: 'SEND-014',
  level: 'SHOULD',
  party: 'server',
  summary: 'The output is of media types that the client accepts.',
  spec: { '0.2': '7.1.1', '0.3': '7.1.1', '1.0': '3.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { other: 'The output has a part of {found}; the client accepts {accepted}' },
  why: 'The client said what it can show: it drops the part, and with it the answer.',
  fix: 'Convert the output to one of `acceptedOutputModes`, or refuse with ContentTypeNotSupportedError before the work begins.',
  examples: {
    good: [
      [send('image/png')],
      [send('video/mp4', ['*'])],
      [send('video/mp4', ['*/*'])],
      [send('video/mp4', [' Video/MP4 ; q=0.5'])],
      // What is no media type may be anything, but for text.
      [send('video/mp4', ['file'])],
      [send('text/html', ['text'])],
      [send('application/geo+json', ['application/json'])],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          response: { task: drawn('Text/Plain; charset=utf-8') },
        }),
      ],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('draw'), configuration },
          result: v03.task('completed', {
            artifacts: [
              v03.artifact('x', {
                parts: [{ kind: 'file', file: { uri: 'https://files.example/x', mimeType: 'image/png' } }],
              }),
            ],
          }),
        }),
      ],
    ],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('draw') },
          result: { task: drawn('video/mp4') },
        }),
      ],
      [rpc({ method: 'SendMessage', params, result: { task: v1.task('COMPLETED') } })],
      // What is there of earlier messages was made for them.
      [
        rpc({
          method: 'SendMessage',
          params: { ...params, message: v1.message('draw', { taskId: 'task-1' }) },
          result: { task: drawn('video/mp4') },
        }),
      ],
      // What the client sends itself is another matter.
      [
        rpc({
          method: 'SendMessage',
          params: { ...params, message: v1.message('draw', { parts: [film] }) },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      ...(
        [
          ['video/mp4', undefined],
          ['images/png', undefined],
          ['video/mp4', ['text']],
          ['application/jsonl', ['application/json']],
          ['application/geo+json', ['text/plain']],
        ] as const
      ).map(([found, accepted]) => ({
        example: [send(found, accepted && [...accepted])],
        messages: ['other'] as const,
      })),
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params,
            events: [
              { task: v1.task('WORKING') },
              v1.artifactUpdate('x', { artifact: v1.artifact('x', { parts: [film] }) }),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['other'],
      },
      {
        example: [
          rpc({ method: 'SendMessage', params, result: { message: v1.reply('x', { parts: [film] }) } }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => acceptedModes(exchange).length > 0 && labelledOutput(exchange).length > 0,
  check: (exchange, { report }) => {
    const modes = acceptedModes(exchange);
    const accepted = modes.slice(0, 16).join(', ');
    for (const { part, event } of labelledOutput(exchange)) {
      const { mediaType: found = '', pointer } = part;
      if (isAccepted(modes, found)) continue;
      report('other', {
        data: { found, accepted },
        at: { side: 'response', pointer, ...(event === undefined ? {} : { event }) },
        expected: accepted,
        actual: found,
      });
      return;
    }
  },
});
