import type { Payload } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { StreamSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpcStream, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const status = (state: string, more: JsonObject = {}): JsonObject => ({
  id: 'task-1',
  status: { state, timestamp: '2026-01-01T00:00:01Z' },
  ...more,
});
const artifact: JsonObject = {
  id: 'task-1',
  artifact: { index: 0, parts: [{ type: 'text', text: 'answer' }], lastChunk: true },
};
const stream = (events: readonly Json[], end: 'closed' | 'client-abort' = 'closed') =>
  rpcStream({
    version: '0.3',
    method: 'tasks/sendSubscribe',
    params: {
      id: 'task-1',
      sessionId: 's-1',
      message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
    },
    events,
    end,
  });
const done = status('completed', { final: true });

/** The id that the client gave the task. */
function askedId({ exchange }: StreamSubject): string | undefined {
  const { params } = exchange.request;
  return isJsonObject(params) && typeof params.id === 'string' ? params.id : undefined;
}

/** The id of an event, and undefined for what is no event of 0.1. */
const eventId = (payload: Payload): string | undefined =>
  payload.kind === 'statusUpdate' || payload.kind === 'artifactUpdate' ? payload.update.taskId : undefined;

export default defineRule({
  id: 'SSE-033',
  level: 'MUST',
  party: 'server',
  summary:
    'A 0.1 stream holds status and artifact updates of the task that the client named, and ends with `final: true`.',
  spec: { '0.1': '7.2' },
  bindings: ['JSONRPC'],
  scope: 'stream',
  messages: {
    kind: 'Event {event} is a {found}, which a 0.1 stream does not hold',
    id: 'Event {event} is of {found}, the client named the task {asked}',
    never: 'The stream ends, and no status update was final',
  },
  why: 'Clients of 0.1 know these two events and stop at the final one: they drop everything else, or wait in vain. The flag is optional in the text, so a stream that closes without it gets a warning only.',
  fix: 'Send `{id, status, final}` and `{id, artifact}` with the id of the request, and set `final: true` on the last status update.',
  examples: {
    good: [
      [stream([status('working'), artifact, done])],
      [stream([status('working'), status('input-required', { final: true })])],
    ],
    skip: [
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
      [stream([])],
    ],
    bad: [
      {
        example: [stream([status('working', { sessionId: 's-1', artifacts: [] }), done])],
        messages: ['kind'],
      },
      {
        example: [stream([status('working', { id: 'task-2' }), { ...done, id: 'task-2' }])],
        messages: ['id', 'id'],
      },
      { example: [stream([status('working'), artifact])], messages: ['never'], outcomes: ['warn'] },
    ],
  },
  when: (stream, { conversation }) => {
    const { events, payloads, exchange } = stream;
    if (events.some(({ json }) => isUnread(json.state)) && payloads.length === 0) return 'undecidable';
    if (payloads.length === 0) return false;
    // The final event may be one that was not recorded.
    const { request, end } = exchange.captured;
    const isCut = endsUnfinished(stream) && conversation.gapBetween(request.atNs, end.atNs ?? request.atNs);
    return isCut ? 'undecidable' : true;
  },
  check: (subject, { report }) => {
    const { payloads, events } = subject;
    const asked = askedId(subject);
    let first: string | undefined;
    for (const payload of payloads) {
      const { event = 0, pointer, kind } = payload;
      const at = { side: 'response', event, pointer } as const;
      if (kind !== 'statusUpdate' && kind !== 'artifactUpdate') {
        report('kind', {
          data: { event, found: kind },
          at,
          expected: 'a status or artifact update',
          actual: kind,
        });
        continue;
      }
      const found = eventId(payload);
      // An event of another task than those before it is SSE-016.
      const strays = first !== undefined && found !== undefined && found !== first;
      first ??= found;
      if (asked !== undefined && found !== asked && !strays)
        report('id', {
          data: { event, found: found ?? 'no task', asked },
          at: { ...at, pointer: `${pointer}/id` },
          expected: asked,
          actual: found,
        });
    }
    if (endsUnfinished(subject))
      report('never', {
        outcome: 'warn',
        at: { side: 'response', event: events.length - 1 },
        expected: 'a status update with `final: true`',
      });
  },
});

/** The stream was read to its end, and nothing in it was final. */
function endsUnfinished({ payloads, events, complete }: StreamSubject): boolean {
  const isWhole = complete && events.every(({ json, error }) => json.state === 'ok' && error === undefined);
  return (
    isWhole && !payloads.some((payload) => payload.kind === 'statusUpdate' && payload.update.final === true)
  );
}
