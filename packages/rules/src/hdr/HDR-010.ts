import type { Conversation } from '@plugfest/verifier';
import { defineRule, knownEventTimes, type SpokenExchange } from '@plugfest/verifier';
import { restStream, rpc, rpcStream, timed, v1, v03 } from '@plugfest/verifier/examples';

/** So long the agent's events have to be apart that a gateway can be seen to hold them back. */
const spreadNs = 2_000_000_000;

const params = { message: v1.message('hello') };
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];
const [first, second] = [
  { from: 'client', to: 'middle' },
  { from: 'middle', to: 'agent' },
] as const;
const send = { method: 'SendStreamingMessage', params, events } as const;
const post = { verb: 'POST', path: '/message:stream', body: params, events } as const;
const send03 = {
  version: '0.3',
  method: 'message/stream',
  params: { message: v03.message('hello') },
  events: [v03.task('working'), v03.statusUpdate('completed', { final: true })],
} as const;

export default defineRule({
  id: 'HDR-010',
  level: 'SHOULD',
  party: 'client',
  summary: 'Whoever hands a message on hands back the events of the answer as they come.',
  spec: { '0.2': '3.3', '0.3': '3.3', '1.0': '3.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendStreamingMessage'],
  messages: {
    held: "The agent's events come over {seconds} s, and its sender gets the first one {late} s after the agent's first, when all were there",
  },
  why: 'The user sees nothing until the work is done, and a client with a time limit gives up. No section speaks of gateways, so it is a warning.',
  fix: 'Turn off buffering and compression for `text/event-stream` in the gateway.',
  examples: {
    good: [
      [
        timed(rpcStream({ ...send, ...first }), 0, [1, 6]),
        timed(rpcStream({ ...send, ...second }), 0, [1, 6]),
      ],
    ],
    skip: [
      [rpcStream({ ...send, ...first }), rpcStream({ ...send, ...second })],
      [
        timed(rpcStream({ ...send, ...first }), 0, [1, 2]),
        timed(rpcStream({ ...send, ...second }), 0, [1, 2]),
      ],
      [timed(rpcStream({ ...send, ...first }), 0, [6, 6])],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [
          timed(rpcStream({ ...send, ...first }), 0, [7, 7]),
          timed(rpcStream({ ...send, ...second }), 0, [1, 6]),
        ],
        messages: ['held'],
      },
      {
        example: [
          timed(restStream({ ...post, ...first }), 0, [7, 7]),
          timed(restStream({ ...post, ...second }), 0, [1, 6]),
        ],
        messages: ['held'],
      },
      {
        example: [
          timed(rpcStream({ ...send03, ...first }), 0, [7, 7]),
          timed(rpcStream({ ...send03, ...second }), 0, [1, 6]),
        ],
        messages: ['held'],
      },
    ],
  },
  when: (exchange, { conversation }) => timesOf(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const times = timesOf(exchange, conversation);
    if (times === undefined || times.given < times.last) return;
    const { made, last, given } = times;
    report('held', {
      data: { seconds: Math.round((last - made) / 1e9), late: Math.round((given - made) / 1e9) },
      at: { side: 'response' },
      expected: 'each event when it comes',
    });
  },
});

/** When the agent's first and last event came, and when the first one reached the sender of the message. */
function timesOf(
  exchange: SpokenExchange,
  conversation: Conversation,
): { readonly made: number; readonly last: number; readonly given: number } | undefined {
  const times = knownEventTimes(exchange.captured, exchange.response?.events);
  const [made, last] = [times?.[0], times?.at(-1)];
  if (made === undefined || last === undefined || last - made < spreadNs) return undefined;
  const given = conversation.handedOn(exchange)?.firstEventAtNs;
  // What was given before it was made is not this answer.
  return given === undefined || given < made ? undefined : { made, last, given };
}
