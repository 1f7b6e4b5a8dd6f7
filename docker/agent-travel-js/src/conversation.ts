import { randomUUID } from 'node:crypto';
import { type Message, type Part, Role, TaskState as State, type TaskState } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

/** What an agent says about one task. Nothing leaves once it is cancelled. */
export class Conversation {
  readonly #context: RequestContext;
  readonly #bus: ExecutionEventBus;
  #state: TaskState = State.TASK_STATE_SUBMITTED;

  constructor(context: RequestContext, bus: ExecutionEventBus) {
    this.#context = context;
    this.#bus = bus;
  }

  /** Whether it waits for its client. */
  get waits(): boolean {
    return this.#state === State.TASK_STATE_INPUT_REQUIRED;
  }

  /** The SDK wants a Task first in every turn, also in a follow-up. */
  open(): void {
    const { task, taskId, contextId, userMessage } = this.#context;
    this.#publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: {
          state: task ? State.TASK_STATE_WORKING : State.TASK_STATE_SUBMITTED,
          message: undefined,
          timestamp: new Date().toISOString(),
        },
        artifacts: task?.artifacts ?? [],
        history: task?.history ?? [userMessage],
        metadata: task?.metadata,
      }),
    );
  }

  working(text: string): void {
    this.#status(State.TASK_STATE_WORKING, [textPart(text)]);
  }

  inputRequired(question: string, choices: unknown): void {
    this.#status(State.TASK_STATE_INPUT_REQUIRED, [textPart(question), dataPart(choices)]);
  }

  completed(): void {
    this.#status(State.TASK_STATE_COMPLETED, []);
  }

  rejected(text: string): void {
    this.#status(State.TASK_STATE_REJECTED, [textPart(text)]);
  }

  failed(text: string): void {
    this.#status(State.TASK_STATE_FAILED, [textPart(text)]);
  }

  canceled(): void {
    this.#status(State.TASK_STATE_CANCELED, []);
  }

  artifact(name: string, data: unknown): void {
    const { taskId, contextId } = this.#context;
    this.#publish(
      AgentEvent.artifactUpdate({
        taskId,
        contextId,
        artifact: {
          artifactId: randomUUID(),
          name,
          description: '',
          parts: [dataPart(data)],
          metadata: undefined,
          extensions: [],
        },
        append: false,
        lastChunk: true,
        metadata: undefined,
      }),
    );
  }

  #status(state: TaskState, parts: Part[]): void {
    const { taskId, contextId } = this.#context;
    const message = parts.length === 0 ? undefined : this.#message(parts);
    const status = { state, message, timestamp: new Date().toISOString() };
    this.#publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    this.#state = state;
  }

  #message(parts: Part[]): Message {
    const { taskId, contextId } = this.#context;
    return {
      ...{ messageId: randomUUID(), taskId, contextId, role: Role.ROLE_AGENT, parts },
      ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
    };
  }

  #publish(event: Parameters<ExecutionEventBus['publish']>[0]): void {
    if (this.#state !== State.TASK_STATE_CANCELED) this.#bus.publish(event);
  }
}

function textPart(value: string): Part {
  return { content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined };
}

function dataPart(value: unknown): Part {
  return {
    ...{ content: { $case: 'data', value }, mediaType: 'application/json', filename: '' },
    metadata: undefined,
  };
}
