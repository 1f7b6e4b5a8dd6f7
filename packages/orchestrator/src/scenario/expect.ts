import { isTerminal } from '@plugfest/a2a';
import type { TaskState } from '@plugfest/model';
import type {
  ArtifactEvent,
  DriveError,
  DriveEvent,
  DriveResult,
  StatusEvent,
  TaskEvent,
} from '../driver/drive.ts';
import type { ScenarioContext } from './context.ts';

export type Checking = Pick<ScenarioContext, 'require' | 'check'>;

/** The call went well; ends the scenario otherwise. */
export function requireOk(context: Checking, what: string, result: DriveResult): void {
  context.require(`${what} succeeds`, result.ok, errorText(result.error));
}

/** The one task of a unary answer. */
export function requireTask(context: Checking, what: string, result: DriveResult): TaskEvent {
  requireOk(context, what, result);
  const [event] = result.events;
  const task = event?.kind === 'task' ? event : undefined;
  context.require(`${what} answers with a task`, task !== undefined, `got ${describe(event)}`);
  context.require(`${what}: the task has an id`, task.taskId !== '', 'the id is empty');
  return task;
}

export function checkState(context: Checking, what: string, state: TaskState, expected: TaskState): boolean {
  return context.check(`${what} is ${short(expected)}`, state === expected, `it is ${short(state)}`);
}

/**
 * The call was refused with this A2A error. Outside JSON-RPC, 0.3 has no names of errors, and leaves open which status
 * each of them gets (0.3 sections 3.2.2 and 3.2.3): there, being refused is enough.
 */
export function checkRefused(
  context: Checking & Pick<ScenarioContext, 'dialect'>,
  what: string,
  result: DriveResult,
  expected: { readonly name: string; readonly code: number },
): void {
  context.require(`${what} is refused`, !result.ok, `it succeeded with ${describe(result.events[0])}`);
  const { error } = result;
  // The client found no interface to call: nobody was asked, so nobody refused.
  const wasAsked = error?.name !== 'NoMatchingInterface';
  context.require(`${what} reaches the server`, wasAsked, errorText(error));
  const { binding, version } = context.dialect;
  if (binding !== 'JSONRPC' && version === '0.3') return;
  context.check(
    `${what} is refused with ${expected.name}`,
    error?.name === expected.name || error?.code === expected.code,
    errorText(error),
  );
}

/** What a stream said, put together. */
export interface StreamView {
  readonly taskId: string | undefined;
  readonly taskIds: ReadonlySet<string>;
  readonly contextIds: ReadonlySet<string>;
  readonly states: readonly TaskState[];
  readonly lastState: TaskState | undefined;
  readonly lastText: string;
  /** Text of each artifact by id, chunks joined as `append` says. */
  readonly artifacts: ReadonlyMap<string, string>;
  readonly closedBy: 'server' | 'client' | undefined;
}

export function viewStream(events: readonly DriveEvent[]): StreamView {
  const taskIds = new Set<string>();
  const contextIds = new Set<string>();
  const artifacts = new Map<string, string>();
  const states: TaskState[] = [];
  let lastText = '';
  let closedBy: StreamView['closedBy'];
  for (const event of events) {
    if (event.kind === 'closed') closedBy = event.by;
    if (!isTaskEvent(event)) continue;
    taskIds.add(event.taskId);
    contextIds.add(event.contextId);
    if (event.kind === 'artifact') {
      const before = event.append ? (artifacts.get(event.artifact.artifactId) ?? '') : '';
      artifacts.set(event.artifact.artifactId, before + event.artifact.text);
    } else {
      states.push(event.state);
      if (event.text) lastText = event.text;
    }
    if (event.kind === 'task')
      for (const { artifactId, text } of event.artifacts) artifacts.set(artifactId, text);
  }
  const [taskId] = taskIds;
  return { taskId, taskIds, contextIds, states, lastState: states.at(-1), lastText, artifacts, closedBy };
}

/**
 * Whether a stream that nobody asked to drop came to an end as it may: the server closed it, or the
 * client's SDK left once the task was finished, as that of Java does. Only the server is bound to
 * close (A2A 1.0 section 3.1.2).
 */
export function endsInOrder({ closedBy, lastState }: StreamView): boolean {
  return closedBy === 'server' || (closedBy === 'client' && isTerminal(lastState));
}

function isTaskEvent(event: DriveEvent): event is TaskEvent | StatusEvent | ArtifactEvent {
  return event.kind === 'task' || event.kind === 'status' || event.kind === 'artifact';
}

export function short(state: TaskState | undefined): string {
  return state?.replace('TASK_STATE_', '') ?? 'no state';
}

export function errorText(error: DriveError | undefined): string {
  if (!error) return 'no error was given';
  const code = error.code === undefined ? '' : ` (${error.code})`;
  return `${error.name}${code}: ${clip(error.message)}`;
}

export function describe(event: DriveEvent | undefined): string {
  if (!event) return 'nothing';
  if (event.kind === 'task' || event.kind === 'status') return `a ${event.kind} in ${short(event.state)}`;
  return event.kind === 'message' ? `a message "${clip(event.text)}"` : `a ${event.kind}`;
}

/** Foreign text for a sentence. */
export function clip(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
