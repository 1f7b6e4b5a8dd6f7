import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { type Act, type Behaviour, choose, plainEcho, resume } from './behaviours.ts';
import { carryOutDrive, findDrive } from './drive.ts';
import { findInstruction } from './find-instruction.ts';
import { firstText } from './parts.ts';
import type { Principals } from './principals.ts';
import { acceptedOutputModes } from './request-handler.ts';
import { TaskCanceled, TaskScript } from './script.ts';
import { carryOutInstruction } from './walk.ts';

interface RunningTask {
  readonly script: TaskScript;
  readonly stop: AbortController;
}

/** Does what a message asks for. The first rule that matches wins; see docs/lab-agents.md. */
export class LabExecutor implements AgentExecutor {
  readonly #principals: Principals;
  readonly #running = new Map<string, RunningTask>();
  readonly #waiting = new Map<string, Act>();

  constructor(principals: Principals) {
    this.#principals = principals;
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    // The SDK hands on a message to a task that is at work; whoever works on it goes on, and the message is heard.
    if (this.#running.has(context.taskId)) return;
    const stop = new AbortController();
    const script = new TaskScript(context, bus, stop.signal);
    const waiting = this.#waiting.get(context.taskId);
    this.#waiting.delete(context.taskId);
    this.#running.set(context.taskId, { script, stop });
    try {
      const behaviour = waiting ? continued(waiting) : this.#behaviourFor(context);
      await perform(behaviour, script, context);
      if (script.waits) this.#waiting.set(context.taskId, behaviour.resume ?? resume);
    } catch (error) {
      if (!(error instanceof TaskCanceled)) throw error;
    } finally {
      this.#running.delete(context.taskId);
    }
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const running = this.#running.get(taskId);
    this.#waiting.delete(taskId);
    running?.stop.abort();
    running?.script.canceled();
    // Without this the SDK would wait for ever on the bus of a task that nobody works on any more.
    if (!running) bus.finished();
  }

  #behaviourFor({ userMessage }: RequestContext): Behaviour {
    const instruction = findInstruction(userMessage);
    if (instruction) return { prefix: '', run: ({ script }) => carryOutInstruction(instruction, script) };
    const drive = findDrive(userMessage);
    if (drive) return { prefix: '', run: ({ script }) => carryOutDrive(drive, script, this.#principals) };
    return choose(userMessage.messageId, firstText(userMessage)) ?? plainEcho;
  }
}

function continued(run: Act): Behaviour {
  return { prefix: '', run, resume: run };
}

async function perform(behaviour: Behaviour, script: TaskScript, { userMessage }: RequestContext) {
  if (behaviour.answers !== 'message') script.open();
  const text = firstText(userMessage);
  await behaviour.run({
    script,
    text,
    argument: text.slice(behaviour.prefix.length).trim(),
    parts: userMessage.parts,
    acceptedOutputModes: acceptedOutputModes(),
  });
}
