import type { DriveEvent, DriveResult } from '../driver/drive.ts';
import { short, viewStream } from './expect.ts';

/** One of many sends: its nonce, which every answer must repeat, and what came back. */
export interface Sent {
  readonly nonce: string;
  readonly result: DriveResult;
}

/** Every mix-up of task, context, text or artifact between sends that ran at once, one sentence each. */
export function crossings(sent: readonly Sent[]): readonly string[] {
  const found: string[] = [];
  const taskOwner = new Map<string, string>();
  const contextOwner = new Map<string, string>();
  const nonces = sent.map(({ nonce }) => nonce);
  for (const { nonce, result } of sent) {
    if (!result.ok) continue;
    const view = viewStream(result.events);
    if (view.taskIds.size !== 1) found.push(`the answer to ${nonce} names ${view.taskIds.size} tasks`);
    if (view.contextIds.size !== 1)
      found.push(`the answer to ${nonce} names ${view.contextIds.size} contexts`);
    claim(taskOwner, view.taskIds, nonce, 'task', found);
    // No send names a context, so each gets one of its own (A2A 1.0 section 3.4.1).
    claim(contextOwner, view.contextIds, nonce, 'context', found);
    for (const text of result.events.flatMap(texts)) {
      const foreign = nonces.find((other) => other !== nonce && text.includes(other));
      if (foreign !== undefined) found.push(`the answer to ${nonce} has the text of ${foreign}`);
    }
    const artifacts = [...view.artifacts.values()];
    if (artifacts.length !== 1 || artifacts[0] !== nonce)
      found.push(`the answer to ${nonce} does not have exactly its own artifact`);
    if (view.lastState !== 'TASK_STATE_COMPLETED')
      found.push(`the task of ${nonce} ends in ${short(view.lastState)}`);
    else if (view.lastText !== nonce) found.push(`the status text for ${nonce} is another one`);
  }
  return found;
}

function claim(
  owners: Map<string, string>,
  ids: ReadonlySet<string>,
  nonce: string,
  what: string,
  found: string[],
): void {
  for (const id of ids) {
    const owner = owners.get(id);
    if (owner !== undefined && owner !== nonce) found.push(`${nonce} and ${owner} share the ${what} ${id}`);
    owners.set(id, nonce);
  }
}

function texts(event: DriveEvent): readonly string[] {
  switch (event.kind) {
    case 'task':
      return [event.text, ...event.artifacts.map(({ text }) => text)];
    case 'status':
    case 'message':
      return [event.text];
    case 'artifact':
      return [event.artifact.text];
    default:
      return [];
  }
}
