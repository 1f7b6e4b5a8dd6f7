import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, type Part, Role, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutionEvent,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { textPart } from '../parts.ts';

/** Thrown inside a behaviour when its task has been cancelled. */
export class TaskCanceled extends Error {
  override readonly name = 'TaskCanceled';
}

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
  #state = TaskState.TASK_STATE_SUBMITTED;

  constructor(context: RequestContext, bus: ExecutionEventBus, signal: AbortSignal) {
    this.taskId = context.taskId;
    this.contextId = context.contextId;
    this.signal = signal;
    this.#context = context;
    this.#bus = bus;
  }

  /** Whether the task now waits for the client. */
  get waits(): boolean {
    return (
      this.#state === TaskState.TASK_STATE_INPUT_REQUIRED ||
      this.#state === TaskState.TASK_STATE_AUTH_REQUIRED
    );
  }

  /** The SDK wants a Task or a Message first in every turn, also in a follow-up. */
  open(): void {
    const known = this.#context.task;
    const state = known ? TaskState.TASK_STATE_WORKING : TaskState.TASK_STATE_SUBMITTED;
    this.#publish(
      AgentEvent.task({
        id: this.taskId,
        contextId: this.contextId,
        status: { state, message: undefined, timestamp: new Date().toISOString() },
        artifacts: known?.artifacts ?? [],
        history: known?.history ?? [this.#context.userMessage],
        metadata: known?.metadata,
      }),
    );
  }

  working(text?: string): void {
    this.#status(TaskState.TASK_STATE_WORKING, text);
  }

  completed(text?: string): void {
    this.#status(TaskState.TASK_STATE_COMPLETED, text);
  }

  failed(text: string): void {
    this.#status(TaskState.TASK_STATE_FAILED, text);
  }

  rejected(text: string): void {
    this.#status(TaskState.TASK_STATE_REJECTED, text);
  }

  inputRequired(text: string): void {
    this.#status(TaskState.TASK_STATE_INPUT_REQUIRED, text);
  }

  authRequired(text: string): void {
    this.#status(TaskState.TASK_STATE_AUTH_REQUIRED, text);
  }

  canceled(): void {
    this.#bus.publish(this.#statusEvent(TaskState.TASK_STATE_CANCELED, undefined));
  }

  artifact(name: string, ...parts: Part[]): void {
    this.#update(parts, { artifactId: randomUUID(), name, append: false, lastChunk: true });
  }

  chunk(part: Part, options: ChunkOptions): void {
    this.#update([part], options);
  }

  #update(parts: Part[], { artifactId, name, append, lastChunk }: ChunkOptions): void {
    this.#publish(
      AgentEvent.artifactUpdate({
        taskId: this.taskId,
        contextId: this.contextId,
        artifact: { artifactId, name, description: '', parts, metadata: undefined, extensions: [] },
        append,
        lastChunk,
        metadata: undefined,
      }),
    );
  }

  /** A Message instead of a Task: the whole answer. */
  reply(text: string): void {
    this.#publish(AgentEvent.message({ ...this.#message(text), taskId: '' }));
  }

  async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.signal }).catch(() => undefined);
    if (this.signal.aborted) throw new TaskCanceled();
  }

  #status(state: TaskState, text: string | undefined): void {
    this.#publish(this.#statusEvent(state, text));
    this.#state = state;
  }

  #statusEvent(state: TaskState, text: string | undefined): AgentExecutionEvent {
    return AgentEvent.statusUpdate({
      taskId: this.taskId,
      contextId: this.contextId,
      status: {
        state,
        message: text === undefined ? undefined : this.#message(text),
        timestamp: new Date().toISOString(),
      },
      metadata: undefined,
    });
  }

  #message(text: string): Message {
    return {
      messageId: randomUUID(),
      contextId: this.contextId,
      taskId: this.taskId,
      role: Role.ROLE_AGENT,
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }

  #publish(event: AgentExecutionEvent): void {
    if (this.signal.aborted) throw new TaskCanceled();
    this.#bus.publish(event);
  }
}
