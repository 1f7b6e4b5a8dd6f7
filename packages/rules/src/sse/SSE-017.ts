import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { compareInstants, isInstant } from '../instant.ts';
import { shownStatus } from '../shown-state.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const at = (state: string, timestamp: string) =>
  v1.statusUpdate(state, { status: v1.status(state, { timestamp }) });

export default defineRule({
  id: 'SSE-017',
  level: 'MUST',
  party: 'server',
  summary: 'Status timestamps never go back along a stream: events arrive as they were generated.',
  spec: { '1.0': '3.5.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { back: 'Event {event} has the status of {found}, after one of {latest}' },
  why: 'A client keeps the last status that it got; out of order, that is an old one, and the task seems to go back.',
  fix: 'Send events in the order in which they happened, through one queue per stream.',
  examples: {
    good: [
      [rpcStream({ ...send, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] })],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: params,
          events: [
            {
              task: v1.task('WORKING', {
                status: v1.status('WORKING', { timestamp: '2026-01-01T00:00:02.123Z' }),
              }),
            },
            at('WORKING', '2026-01-01T00:00:02.123456Z'),
            at('COMPLETED', '2026-01-01T00:00:02.123Z'),
          ],
        }),
      ],
    ],
    skip: [
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [rpcStream({ ...send, events: [{ task: v1.task('COMPLETED') }] })],
    ],
    bad: [
      {
        example: [
          rpcStream({
            ...send,
            events: [{ task: v1.task('WORKING') }, at('COMPLETED', '2025-12-31T23:59:59.999Z')],
          }),
        ],
        messages: ['back'],
      },
    ],
  },
  when: ({ payloads }) => payloads.filter((payload) => isInstant(shownStatus(payload)?.timestamp)).length > 1,
  check: ({ payloads }, { report }) => {
    let latest: string | undefined;
    for (const payload of payloads) {
      const status = shownStatus(payload);
      const found = status?.timestamp;
      if (status === undefined || !isInstant(found)) continue;
      const difference = latest === undefined ? 0 : (compareInstants(found, latest) ?? 0);
      if (difference < 0)
        report('back', {
          data: { event: payload.event, found, latest },
          at: { side: 'response', event: payload.event ?? 0, pointer: `${status.pointer}/timestamp` },
          expected: `${latest} or later`,
          actual: found,
        });
      else latest = found;
    }
  },
});
