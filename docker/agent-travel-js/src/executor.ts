import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { Conversation } from './conversation.ts';
import { type Fields, fieldsOf, Refused } from './request.ts';
import type { Role } from './role.ts';

interface Waiting {
  readonly asked: Fields;
  readonly conversation: Conversation;
}

/** Does for each message what the agent's role has for it. */
export class TravelExecutor implements AgentExecutor {
  readonly #role: Role;
  readonly #running = new Map<string, Conversation>();
  readonly #waiting = new Map<string, Waiting>();

  constructor(role: Role) {
    this.#role = role;
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, userMessage } = context;
    const conversation = new Conversation(context, bus);
    const waiting = this.#waiting.get(taskId);
    this.#running.set(taskId, conversation);
    conversation.open();
    try {
      const fields = fieldsOf(userMessage);
      if (fields === undefined) throw new Refused(`no data part; it would be ${this.#role.skill.example}`);
      if (waiting) await this.#role.answer?.(fields, waiting.asked, conversation);
      else await this.#role.start(fields, conversation);
      if (conversation.waits) this.#waiting.set(taskId, { asked: fields, conversation });
      else this.#waiting.delete(taskId);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#waiting.delete(taskId);
      conversation.rejected(error.message);
    } finally {
      this.#running.delete(taskId);
    }
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const running = this.#running.get(taskId);
    const conversation = running ?? this.#waiting.get(taskId)?.conversation;
    this.#waiting.delete(taskId);
    conversation?.canceled();
    // Without this the SDK would wait for ever on the bus of a task that nobody works on any more.
    if (!running) bus.finished();
  }
}
