import { isDeepStrictEqual } from 'node:util';
import type { DriveContent, DriveEvent, DriveResult } from '../../packages/orchestrator/src/driver/drive.ts';

/** The events of a stream in short: states after SUBMITTED, artifacts as `behaviours.ts` writes them. */
export function shapeOf(events: readonly DriveEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.kind === 'task' || event.kind === 'status') {
      const state = event.state.replace('TASK_STATE_', '');
      return state === 'SUBMITTED' ? [] : [state];
    }
    if (event.kind === 'artifact') return [artifact(event.artifact.contents ?? [])];
    return event.kind === 'message' ? [`message "${event.text}"`] : [];
  });
}

/** The state that the answer of a unary call ends in. */
export function endOf({ events: [event], error }: DriveResult): string {
  if (error !== undefined) return `${error.name}: ${error.message}`;
  if (event?.kind === 'message') return `message "${event.text}"`;
  return event?.kind === 'task' ? event.state.replace('TASK_STATE_', '') : JSON.stringify(event);
}

/** Of the last status message. */
export function saysOf({ events }: DriveResult): string | undefined {
  const last = events.findLast((event) => event.kind === 'task' || event.kind === 'status');
  return last?.kind === 'task' || last?.kind === 'status' ? last.text : undefined;
}

/** The artifacts of the task in an answer; chunks that were joined are several texts in one. */
export function artifactsOf({ events: [event] }: DriveResult): readonly string[] {
  return event?.kind === 'task' ? event.artifacts.map(({ contents = [] }) => artifact(contents)) : [];
}

/** Whether artifacts of a task hold what a stream's chunks did. */
export function joins(artifacts: readonly string[], stream: readonly string[]): boolean {
  const chunks = stream.filter((token) => !/^[A-Z_]+$/.test(token));
  if (isDeepStrictEqual(artifacts, chunks)) return true;
  const text = (tokens: readonly string[]) => tokens.map((token) => token.replaceAll('"', '')).join('');
  return artifacts.length <= 1 && text(artifacts) === text(chunks);
}

function artifact(contents: readonly DriveContent[]): string {
  return contents
    .map(({ kind, content, mediaType, filename }) => {
      if (kind === 'text') return `"${content}"`;
      if (kind === 'data') return `data ${JSON.stringify(sorted(content))}`;
      return [kind, content, mediaType, filename].filter((part) => part !== undefined).join(' ');
    })
    .join('');
}

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
