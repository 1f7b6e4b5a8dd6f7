import type { TaskScript } from '../behaviours/script.ts';
import { callAgent } from './call-agent.ts';
import type { FoundInstruction } from './find.ts';
import type { Instruction } from './instruction.ts';

/** The word by which a resubscribing client knows that a held task has said all it has to say. */
export const finishedMarker = 'task-finished';

const holdTickMs = 2000;
const holdTicks = 5;

/** Does what the instruction says; the outputs of its steps are the text of the final status. */
export async function carryOutInstruction(instruction: FoundInstruction, script: TaskScript): Promise<void> {
  script.working();
  if (instruction.step === 'broken') {
    script.failed(instruction.error);
    return;
  }
  let output: string;
  try {
    output = (await outputsOf(instruction, script.signal)).join('\n');
  } catch (error) {
    script.failed(String(error));
    return;
  }
  if (isHeld(instruction)) {
    script.working(`${output}\n${finishedMarker}`);
    for (let tick = 0; tick < holdTicks; tick++) {
      await script.pause(holdTickMs);
      script.working();
    }
  }
  script.completed(output);
}

async function outputsOf(instruction: Instruction, signal: AbortSignal): Promise<readonly string[]> {
  switch (instruction.step) {
    case 'return':
      return [instruction.response];
    case 'call':
      return callAgent(instruction.call, signal);
    case 'series': {
      const outputs: string[] = [];
      for (const step of instruction.instructions) outputs.push(...(await outputsOf(step, signal)));
      return outputs;
    }
  }
}

/** What a called agent holds is its own affair, so a `call` is not looked into. */
function isHeld(instruction: Instruction): boolean {
  if (instruction.step === 'return') return instruction.holdTask;
  return instruction.step === 'series' && instruction.instructions.some(isHeld);
}
