import type { Message, SendMessageRequest } from '@a2a-js/sdk';
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { type Act, type Behaviour, plainEcho, resume } from '../behaviours/behaviour.ts';
import { TaskCanceled, TaskScript } from '../behaviours/script.ts';
import { type BehaviourTable, choose } from '../behaviours/table.ts';
import { carryOutDrive, findDrive } from '../client/drive.ts';
import { carryOutInstruction } from '../itk/carry-out.ts';
import { findInstruction } from '../itk/find.ts';
import { firstText } from '../parts.ts';
import type { Principals } from '../principals.ts';

interface RunningTask {
  readonly script: TaskScript;
  readonly stop: AbortController;
}

interface WaitingTask {
  readonly script: TaskScript;
  readonly resume: Act;
}

/** Does what a message asks for. The first rule that matches wins; see docs/lab-agents.md. */
export class LabExecutor implements AgentExecutor {
  readonly #behaviours: BehaviourTable;
  readonly #principals: Principals;
  readonly #running = new Map<string, RunningTask>();
  readonly #waiting = new Map<string, WaitingTask>();

  constructor(behaviours: BehaviourTable, principals: Principals) {
    this.#behaviours = behaviours;
    this.#principals = principals;
  }

  isRunning(taskId: string): boolean {
    return this.#running.has(taskId);
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const stop = new AbortController();
    const script = new TaskScript(context, bus, stop.signal);
    const waiting = this.#waiting.get(context.taskId);
    this.#waiting.delete(context.taskId);
    this.#running.set(context.taskId, { script, stop });
    try {
      const behaviour = waiting ? continued(waiting) : this.#behaviourFor(context.userMessage);
      await perform(behaviour, script, context.request);
      if (script.waits) {
        this.#waiting.set(context.taskId, { script, resume: behaviour.resume ?? resume });
      }
    } catch (error) {
      if (!(error instanceof TaskCanceled)) throw error;
    } finally {
      this.#running.delete(context.taskId);
    }
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const running = this.#running.get(taskId);
    const script = running?.script ?? this.#waiting.get(taskId)?.script;
    running?.stop.abort();
    this.#waiting.delete(taskId);
    script?.canceled();
    // Without this the SDK would wait for ever on the bus of a task that nobody works on any more.
    if (!running) bus.finished();
  }

  #behaviourFor(message: Message): Behaviour {
    const instruction = findInstruction(message);
    if (instruction) return { prefix: '', run: ({ script }) => carryOutInstruction(instruction, script) };
    const drive = findDrive(message);
    if (drive) return { prefix: '', run: ({ script }) => carryOutDrive(drive, script, this.#principals) };
    return choose(this.#behaviours, message.messageId, firstText(message)) ?? plainEcho;
  }
}

function continued({ resume: run }: WaitingTask): Behaviour {
  return { prefix: '', run, resume: run };
}

async function perform(
  behaviour: Behaviour,
  script: TaskScript,
  { message, configuration }: SendMessageRequest,
): Promise<void> {
  if (behaviour.answers !== 'message') script.open();
  const text = message ? firstText(message) : '';
  await behaviour.run({
    script,
    text,
    argument: text.slice(behaviour.prefix.length).trim(),
    parts: message?.parts ?? [],
    acceptedOutputModes: configuration?.acceptedOutputModes ?? [],
  });
}
