import { randomUUID } from 'node:crypto';
import type { Message, MessageSendParams, PushNotificationConfig, Task, TaskStatus } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import type { StreamEvent } from './events.ts';
import { type FoundInstruction, instructionFilename, instructionMediaType } from './find-instruction.ts';
import {
  type Behavior,
  type CallAgent,
  encodeInstruction,
  type Instruction,
  InstructionError,
} from './instruction.ts';
import { bytesPart, textOf } from './parts.ts';
import { connect } from './peer.ts';
import type { TaskScript } from './script.ts';

/** The word by which a resubscribing client knows that a held task has said all it has to say. */
const finishedMarker = 'task-finished';
const holdTickMs = 2000;
const holdTicks = 5;
const bindings: Readonly<Record<string, string>> = {
  JSONRPC: 'JSONRPC',
  HTTP_JSON: 'HTTP+JSON',
  REST: 'HTTP+JSON',
  'HTTP+JSON': 'HTTP+JSON',
  GRPC: 'GRPC',
};

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
  if (instruction.step === 'return') return [instruction.response];
  if (instruction.step === 'call') return callAgent(instruction.call, signal);
  const outputs: string[] = [];
  for (const step of instruction.instructions) outputs.push(...(await outputsOf(step, signal)));
  return outputs;
}

/** What a called agent holds is its own affair, so a `call` is not looked into. */
function isHeld(instruction: Instruction): boolean {
  if (instruction.step === 'return') return instruction.holdTask;
  return instruction.step === 'series' && instruction.instructions.some(isHeld);
}

async function callAgent(call: CallAgent, signal: AbortSignal): Promise<readonly string[]> {
  const binding = bindings[call.transport.toUpperCase()];
  if (!binding)
    throw new InstructionError(`this agent's client does not speak transport "${call.transport}"`);
  const client = await connect(call.agentCardUri, binding, signal);
  const params = paramsFor(call);
  if (call.behavior.kind === 'resubscribe') return resubscribed(client, params, signal);
  if (!call.streaming) return [answerText(await client.sendMessage(params, { signal }))];
  let text = '';
  for await (const event of client.sendMessageStream(params, { signal })) text = eventText(event) || text;
  return [text];
}

function paramsFor({ instruction, behavior }: CallAgent): MessageSendParams {
  const webhook = webhookOf(behavior);
  return {
    message: {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [bytesPart(encodeInstruction(instruction), instructionFilename, instructionMediaType)],
    },
    configuration: { blocking: true, ...(webhook && { pushNotificationConfig: webhook }) },
  };
}

function webhookOf(behavior: Behavior): PushNotificationConfig | undefined {
  if (behavior.kind !== 'push') return undefined;
  if (!behavior.url) throw new InstructionError('push_notification has no url');
  const base = /^https?:\/\//.test(behavior.url) ? behavior.url : `http://${behavior.url}`;
  return { url: `${base}/notifications`, token: 'itk-token' };
}

/** Streams, drops the stream after the first event, subscribes again, reads to the marker, cancels. */
async function resubscribed(
  client: Client,
  params: MessageSendParams,
  signal: AbortSignal,
): Promise<string[]> {
  const drop = new AbortController();
  let id = '';
  for await (const event of client.sendMessageStream(params, {
    signal: AbortSignal.any([signal, drop.signal]),
  })) {
    id = (event.kind === 'task' ? event.id : event.taskId) ?? '';
    break;
  }
  drop.abort();
  if (!id) throw new InstructionError('the first event of the stream names no task');
  const read = new AbortController();
  let output: string | undefined;
  for await (const event of client.resubscribeTask(
    { id },
    { signal: AbortSignal.any([signal, read.signal]) },
  )) {
    const text = textsOf(event).find((candidate) => candidate.includes(finishedMarker));
    if (text === undefined) continue;
    output = text.replaceAll(finishedMarker, '').trim();
    break;
  }
  read.abort();
  if (output === undefined) throw new InstructionError(`the subscription ended without "${finishedMarker}"`);
  await client.cancelTask({ id }, { signal });
  return [output];
}

function eventText(event: StreamEvent): string {
  if (event.kind === 'artifact-update') return '';
  return event.kind === 'status-update' ? statusText(event.status) : answerText(event);
}

/** Every text that may hold the marker; a Task tells what was said before the subscription in its history. */
function textsOf(event: StreamEvent): string[] {
  const said = event.kind === 'task' ? (event.history ?? []).map(textOf) : [];
  return [...said, eventText(event)];
}

function answerText(answer: Message | Task): string {
  return answer.kind === 'message' ? textOf(answer) : statusText(answer.status);
}

function statusText({ state, message }: TaskStatus): string {
  const text = textOf(message);
  if (state === 'failed' || state === 'rejected')
    throw new InstructionError(`the called agent answered ${state}: ${text}`);
  return text;
}
