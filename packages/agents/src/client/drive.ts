import type { Message } from '@a2a-js/sdk';
import type { TaskScript } from '../behaviours/script.ts';
import { dataPart } from '../parts.ts';
import type { Principals } from '../principals.ts';
import { callOptions } from './call-options.ts';
import { connect, fetchCard } from './connect.ts';
import { type SeenEvent, seenCard } from './events.ts';
import { type Failure, failureOf } from './failure.ts';
import { InvalidCall, isMembers, type Members, optionalMembers, text } from './members.ts';
import { operations } from './operations.ts';

const timeoutMs = 30_000;

/** The data part that asks for one call, if the message has it. */
export function findDrive(message: Message): Members | undefined {
  for (const { content } of message.parts) {
    if (content?.$case !== 'data' || !isMembers(content.value)) continue;
    if (content.value.plugfest === 'drive/1') return content.value;
  }
  return undefined;
}

/** Makes the call. The task completes also when the call fails: a refusal is a result. */
export async function carryOutDrive(
  drive: Members,
  script: TaskScript,
  principals: Principals,
): Promise<void> {
  script.working();
  const call = isMembers(drive.call) ? drive.call : {};
  const op = typeof call.op === 'string' ? call.op : '';
  const signal = AbortSignal.any([script.signal, AbortSignal.timeout(timeoutMs)]);
  const events: SeenEvent[] = [];
  let failure: Failure | undefined;
  try {
    for await (const event of makeCall(drive, principals, signal)) events.push(event);
  } catch (error) {
    failure = failureOf(error);
  }
  const outcome = failure ? { ok: false, error: failure } : { ok: true };
  script.artifact('drive-result', dataPart({ plugfest: 'drive-result/1', op, ...outcome, events }));
  script.completed(failure ? `${op}: ${failure.name}` : `${op}: ok`);
}

async function* makeCall(
  drive: Members,
  principals: Principals,
  signal: AbortSignal,
): AsyncGenerator<SeenEvent> {
  const call = optionalMembers(drive, 'call');
  if (!call) throw new InvalidCall('the drive has no call');
  const op = text(call, 'op');
  const card = text(drive, 'card');
  if (op === 'GetAgentCard') {
    yield seenCard(await fetchCard(card, signal));
    return;
  }
  const operation = operations[op];
  if (!operation)
    throw new InvalidCall(`${op} is not one of GetAgentCard, ${Object.keys(operations).join(', ')}`);
  const version = text(drive, 'version');
  if (version !== '1.0' && version !== '0.3') throw new InvalidCall(`version ${version} is not 1.0 or 0.3`);
  const options = callOptions(drive, principals, signal);
  const client = await connect(card, { binding: text(drive, 'binding'), version }, signal);
  yield* await operation(client, call, options);
}
