import { randomUUID } from 'node:crypto';
import {
  type Message,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { connect } from '../client/connect.ts';
import { bytesPart, textOf } from '../parts.ts';
import { finishedMarker } from './carry-out.ts';
import { instructionFilename, instructionMediaType } from './find.ts';
import { type Behavior, type CallAgent, encodeInstruction, InstructionError } from './instruction.ts';

const bindings: Readonly<Record<string, string>> = {
  JSONRPC: 'JSONRPC',
  HTTP_JSON: 'HTTP+JSON',
  REST: 'HTTP+JSON',
  'HTTP+JSON': 'HTTP+JSON',
  GRPC: 'GRPC',
};

/** The texts that the called agent answers with. */
export async function callAgent(call: CallAgent, signal: AbortSignal): Promise<readonly string[]> {
  const binding = bindings[call.transport.toUpperCase()];
  if (!binding)
    throw new InstructionError(`this agent's client does not speak transport "${call.transport}"`);
  const client = await connect(call.agentCardUri, { binding }, signal);
  const request = requestFor(call);
  if (call.behavior.kind === 'resubscribe') return resubscribed(client, request, signal);
  if (!call.streaming) return [answerText(await client.sendMessage(request, { signal }))];
  let text = '';
  for await (const event of client.sendMessageStream(request, { signal })) text = eventText(event) || text;
  return [text];
}

function requestFor({ instruction, behavior }: CallAgent): SendMessageRequest {
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [bytesPart(encodeInstruction(instruction), instructionFilename, instructionMediaType)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: webhook(behavior),
      returnImmediately: false,
    },
    metadata: undefined,
  };
}

function webhook(behavior: Behavior): TaskPushNotificationConfig | undefined {
  if (behavior.kind !== 'push') return undefined;
  if (!behavior.url) throw new InstructionError('push_notification has no url');
  const base = /^https?:\/\//.test(behavior.url) ? behavior.url : `http://${behavior.url}`;
  return {
    tenant: '',
    id: '',
    taskId: '',
    url: `${base}/notifications`,
    token: 'itk-token',
    authentication: undefined,
  };
}

/** Streams, drops the stream after the first event, subscribes again, reads to the marker, cancels. */
async function resubscribed(
  client: Client,
  request: SendMessageRequest,
  signal: AbortSignal,
): Promise<string[]> {
  const drop = new AbortController();
  let taskId = '';
  for await (const event of client.sendMessageStream(request, {
    signal: AbortSignal.any([signal, drop.signal]),
  })) {
    taskId = taskIdOf(event);
    break;
  }
  drop.abort();
  if (!taskId) throw new InstructionError('the first event of the stream names no task');
  const read = new AbortController();
  let output: string | undefined;
  const subscription = client.resubscribeTask(
    { tenant: '', id: taskId },
    { signal: AbortSignal.any([signal, read.signal]) },
  );
  for await (const event of subscription) {
    const text = textsOf(event).find((candidate) => candidate.includes(finishedMarker));
    if (text === undefined) continue;
    output = text.replaceAll(finishedMarker, '').trim();
    break;
  }
  read.abort();
  if (output === undefined) throw new InstructionError(`the subscription ended without "${finishedMarker}"`);
  await client.cancelTask({ tenant: '', id: taskId, metadata: undefined }, { signal });
  return [output];
}

function taskIdOf({ payload }: StreamResponse): string {
  if (payload?.$case === 'task') return payload.value.id;
  return payload?.value.taskId ?? '';
}

function eventText({ payload }: StreamResponse): string {
  switch (payload?.$case) {
    case 'task':
    case 'message':
      return answerText(payload.value);
    case 'statusUpdate':
      return statusText(payload.value.status);
    default:
      return '';
  }
}

/** Every text that may hold the marker; a Task tells what was said before the subscription in its history. */
function textsOf(event: StreamResponse): string[] {
  const { payload } = event;
  const said = payload?.$case === 'task' ? (payload.value.history ?? []).map(textOf) : [];
  return [...said, eventText(event)];
}

function answerText(answer: Message | Task): string {
  return 'messageId' in answer ? textOf(answer) : statusText(answer.status);
}

function statusText(status: Task['status']): string {
  const text = textOf(status?.message);
  const state = status?.state;
  if (state === TaskState.TASK_STATE_FAILED || state === TaskState.TASK_STATE_REJECTED) {
    throw new InstructionError(`the called agent answered ${TaskState[state]}: ${text}`);
  }
  return text;
}
