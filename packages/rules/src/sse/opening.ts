import type { Payload, StreamEvent } from '@plugfest/a2a';
import type { StreamSubject } from '@plugfest/verifier';
import { isUnread } from '../unread-body.ts';

/** How a stream begins: its first event, and the payload in it where that could be read. */
export interface Opening {
  readonly event: StreamEvent;
  readonly payload: Payload | undefined;
}

/** The opening of a stream; undefined where it has no event, begins with an error, or cannot be read. */
export function openingOf({ events, payloads }: StreamSubject): Opening | undefined {
  const [event] = events;
  if (event === undefined || event.error !== undefined || event.json.state !== 'ok') return undefined;
  return { event, payload: payloads.find((payload) => payload.event === event.index) };
}

/** True where the first event is there, but cut off or too large to read. */
export function isOpeningLost({ events }: StreamSubject): boolean {
  const state = events[0]?.json.state;
  return isUnread(state);
}

/** True for a stream that follows a task: it opens with a task or with an update of one. */
export function followsTask(stream: StreamSubject): boolean {
  const kind = openingOf(stream)?.payload?.kind;
  return kind === 'task' || kind === 'statusUpdate' || kind === 'artifactUpdate';
}
