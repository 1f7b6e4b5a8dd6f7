import type { MessageView } from '@plugfest/a2a';
import { defineRule, taskIdOf } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { onceForEach } from '../last-exchange.ts';
import { contentOf, holdsOutput, textsOf } from '../output-in-message.ts';
import { shownStatus } from '../shown-state.ts';

const params = { message: v1.message('hello') };
const stream = { method: 'SendStreamingMessage', params } as const;
const saying = (state: string, text: string) =>
  v1.statusUpdate(state, { status: v1.status(state, { message: v1.reply(text) }) });
const saying03 = (state: string, text: string) =>
  v03.statusUpdate(state, { status: v03.status(state, { message: v03.reply(text) }) });

export default defineRule({
  id: 'SEND-023',
  level: 'SHOULD',
  party: 'server',
  summary: 'The output of a task comes in artifacts, not in status messages only.',
  spec: { '0.2': '6.1', '0.3': '6.1', '1.0': '3.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    pieces: 'The task brings its output piece by piece in status messages, and no artifact',
    output: 'The task is completed with its output in the status message, and no artifact',
    remark: 'The task is completed with a short status message and no artifact',
  },
  why: 'Messages may be dropped and need not be stored: who polls, reconnects or has a webhook gets the completed task without its result. Whether a short text is the result or a word about the end is not to be seen on the wire, so it is for information only.',
  fix: 'Put the output into an artifact, streamed by artifact events with `append`; keep status messages for progress.',
  examples: {
    good: [
      [rpc({ method: 'SendMessage', params, result: { task: v1.task('COMPLETED') } })],
      [
        rpcStream({
          ...stream,
          events: [
            { task: v1.task('WORKING') },
            saying('WORKING', 'Looking it up'),
            v1.artifactUpdate('answer'),
            v1.statusUpdate('COMPLETED'),
          ],
        }),
      ],
      // The pieces are there a second time, or there is only one, or they are news.
      [
        rpcStream({
          ...stream,
          events: [
            { task: v1.task('WORKING') },
            saying('WORKING', 'The answer '),
            saying('WORKING', 'is 4'),
            v1.artifactUpdate('The answer is 4'),
            v1.statusUpdate('COMPLETED'),
          ],
        }),
      ],
      ...[['Reading '], ['Reading', 'Writing'], ['Reading', ' ']].map((texts) => [
        rpcStream({
          ...stream,
          events: [
            { task: v1.task('WORKING') },
            ...texts.map((text) => saying('WORKING', text)),
            v1.statusUpdate('COMPLETED'),
          ],
        }),
      ]),
      [
        rpc({
          method: 'SendMessage',
          params,
          result: {
            task: v1.task('COMPLETED', {
              status: v1.status('COMPLETED', { message: v1.reply('It is 4', { taskId: 'task-1' }) }),
            }),
          },
        }),
      ],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          response: { task: v1.task('COMPLETED', { artifacts: undefined }) },
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'SendMessage', params, result: { message: v1.reply('hi') } })],
      [rpc({ method: 'SendMessage', params, result: { task: v1.task('INPUT_REQUIRED') } })],
      [
        rpcStream({
          ...stream,
          events: [{ task: v1.task('WORKING') }, saying('WORKING', 'So ')],
          end: 'reset',
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpcStream({ ...stream, events: [{ task: v1.task('WORKING') }, saying('COMPLETED', 'It is 4')] }),
        ],
        messages: ['remark'],
        outcomes: ['info'],
      },
      {
        example: [
          rpcStream({
            ...stream,
            events: [
              { task: v1.task('WORKING') },
              saying('WORKING', 'Reading '),
              saying('COMPLETED', 'It is 4'),
            ],
          }),
        ],
        messages: ['remark'],
      },
      {
        example: [
          rpcStream({
            ...stream,
            events: [{ task: v1.task('WORKING') }, saying('COMPLETED', 'It is a long story. '.repeat(30))],
          }),
        ],
        messages: ['output'],
      },
      {
        example: [
          rpc({
            method: 'SendMessage',
            params,
            result: {
              task: v1.task('COMPLETED', {
                artifacts: undefined,
                status: v1.status('COMPLETED', {
                  message: v1.reply('done', { parts: [{ data: { answer: 4 } }] }),
                }),
              }),
            },
          }),
        ],
        messages: ['output'],
      },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [
              v03.task('working'),
              saying03('working', 'The '),
              saying03('working', 'answer '),
              saying03('working', 'is 4'),
              v03.statusUpdate('completed'),
            ],
          }),
        ],
        messages: ['pieces'],
      },
    ],
  },
  when: (exchange) => completionOf(exchange) !== undefined,
  check: (exchange, { report }) => {
    const completion = completionOf(exchange);
    if (completion === undefined || completion.artifacts) return;
    const { final, progress, place } = completion;
    const at = { side: 'response', ...place } as const;
    const expected = 'an artifact';
    const texts = progress.flatMap((message) => textsOf(message));
    // Text that was cut at a blank is a piece of a longer one; whole sentences are news about the progress.
    if (texts.length > 1 && texts.some((text) => text !== text.trim() && text.trim() !== ''))
      report('pieces', { at, expected, actual: texts.join('') });
    else if (final !== undefined && final.parts.length > 0) {
      const actual = contentOf(final);
      if (holdsOutput(final)) report('output', { at, expected, actual });
      else report('remark', { at, expected, actual, outcome: 'info' });
    }
  },
});

interface Completion {
  /** Some payload of the exchange shows an artifact of the task. */
  readonly artifacts: boolean;
  /** The agent's message in the completed status, and those of the states before it. */
  readonly final: MessageView | undefined;
  readonly progress: readonly MessageView[];
  readonly place: { readonly event?: number; readonly pointer: string };
}

/** The completion of the task that a message started or continued, with what the agent said on the way. */
const completionOf = onceForEach(({ operation, payloads, response }): Completion | undefined => {
  if (operation !== 'SendMessage' && operation !== 'SendStreamingMessage') return undefined;
  const shown = payloads.filter(({ side }) => side === 'response');
  const last = shown.findLast((payload) => shownStatus(payload)?.state !== undefined);
  if (last === undefined || response === undefined || !response.complete) return undefined;
  const status = shownStatus(last);
  if (status?.state !== 'TASK_STATE_COMPLETED') return undefined;
  const artifacts = shown.some(
    (payload) =>
      payload.kind === 'artifactUpdate' ||
      (payload.kind === 'task' && (payload.task.artifacts?.length ?? 0) > 0),
  );
  const ofAgent = (message: MessageView | undefined): message is MessageView =>
    message?.role === 'ROLE_AGENT';
  const progress = shown
    .filter((payload) => payload !== last && taskIdOf(payload) === taskIdOf(last))
    .map((payload) => shownStatus(payload)?.message)
    .filter(ofAgent);
  return {
    artifacts,
    final: ofAgent(status.message) ? status.message : undefined,
    progress,
    place: { pointer: last.pointer, ...(last.event === undefined ? {} : { event: last.event }) },
  };
});
