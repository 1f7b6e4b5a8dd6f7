import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Part, TaskState } from '@a2a-js/sdk';
import type { AgentExecutionEvent, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { textPart } from './parts.ts';

/** Thrown inside a behaviour when its task has been cancelled. */
export class TaskCanceled extends Error {
  override readonly name = 'TaskCanceled';
}

/** States that end the turn, and with it the stream: their update is `final` (A2A 0.3 section 7.2.2). */
const endsTurn: ReadonlySet<TaskState> = new Set([
  'completed',
  'failed',
  'rejected',
  'canceled',
  'input-required',
  'auth-required',
]);

export interface ChunkOptions {
  readonly artifactId: string;
  readonly name: string;
  readonly append: boolean;
  readonly lastChunk: boolean;
}

/** What a behaviour says about its task. Nothing leaves once the task is cancelled. */
export class TaskScript {
  readonly taskId: string;
  readonly contextId: string;
  readonly signal: AbortSignal;
  readonly #context: RequestContext;
  readonly #bus: ExecutionEventBus;
  #state: TaskState = 'submitted';

  constructor(context: RequestContext, bus: ExecutionEventBus, signal: AbortSignal) {
    this.taskId = context.taskId;
    this.contextId = context.contextId;
    this.signal = signal;
    this.#context = context;
    this.#bus = bus;
  }

  /** Whether the task now waits for the client. */
  get waits(): boolean {
    return this.#state === 'input-required' || this.#state === 'auth-required';
  }

  /** Every turn begins with the Task, so that a stream does (A2A 0.3 section 3.2.2). */
  open(): void {
    const known = this.#context.task;
    const state = known ? 'working' : 'submitted';
    this.#publish({
      ...(known ?? { kind: 'task', history: [this.#context.userMessage] }),
      id: this.taskId,
      contextId: this.contextId,
      status: { state, timestamp: new Date().toISOString() },
    });
  }

  working(text?: string): void {
    this.#status('working', text);
  }

  completed(text?: string): void {
    this.#status('completed', text);
  }

  failed(text: string): void {
    this.#status('failed', text);
  }

  rejected(text: string): void {
    this.#status('rejected', text);
  }

  inputRequired(text: string): void {
    this.#status('input-required', text);
  }

  authRequired(text: string): void {
    this.#status('auth-required', text);
  }

  canceled(): void {
    this.#bus.publish(this.#statusEvent('canceled', undefined));
  }

  artifact(name: string, ...parts: Part[]): void {
    this.#update(parts, { artifactId: randomUUID(), name, append: false, lastChunk: true });
  }

  chunk(part: Part, options: ChunkOptions): void {
    this.#update([part], options);
  }

  /** A Message instead of a Task: the whole answer. */
  reply(text: string): void {
    const { taskId: _, ...message } = this.#message(text);
    this.#publish(message);
  }

  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.signal }).catch(() => undefined);
    if (this.signal.aborted) throw new TaskCanceled();
  }

  #update(parts: Part[], { artifactId, name, append, lastChunk }: ChunkOptions): void {
    this.#publish({
      kind: 'artifact-update',
      taskId: this.taskId,
      contextId: this.contextId,
      artifact: { artifactId, name, parts },
      append,
      lastChunk,
    });
  }

  #status(state: TaskState, text: string | undefined): void {
    this.#publish(this.#statusEvent(state, text));
    this.#state = state;
  }

  #statusEvent(state: TaskState, text: string | undefined): AgentExecutionEvent {
    return {
      kind: 'status-update',
      taskId: this.taskId,
      contextId: this.contextId,
      status: {
        state,
        ...(text !== undefined && { message: this.#message(text) }),
        timestamp: new Date().toISOString(),
      },
      final: endsTurn.has(state),
    };
  }

  #message(text: string): Message {
    return {
      kind: 'message',
      messageId: randomUUID(),
      contextId: this.contextId,
      taskId: this.taskId,
      role: 'agent',
      parts: [textPart(text)],
    };
  }

  #publish(event: AgentExecutionEvent): void {
    if (this.signal.aborted) throw new TaskCanceled();
    this.#bus.publish(event);
  }
}
