import type { Message } from '@a2a-js/sdk';
import { type RequestOptions, ServiceParameters, withA2AExtensions } from '@a2a-js/sdk/client';
import { type SeenEvent, seenCard } from './events.ts';
import { type Failure, failureOf } from './failure.ts';
import {
  InvalidCall,
  isMembers,
  type Members,
  optionalMembers,
  optionalText,
  optionalTexts,
  text,
  UnsupportedByClient,
} from './members.ts';
import { operations } from './operations.ts';
import { dataPart } from './parts.ts';
import { connect, fetchCard } from './peer.ts';
import type { Principals } from './principals.ts';
import type { TaskScript } from './script.ts';

const timeoutMs = 30_000;

/** The data part that asks for one call, if the message has it. */
export function findDrive(message: Message): Members | undefined {
  for (const part of message.parts) {
    if (part.kind === 'data' && part.data?.plugfest === 'drive/1') return part.data;
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
  const version = text(drive, 'version');
  if (version === '1.0') throw new UnsupportedByClient("this SDK's client speaks 0.3 only");
  if (version !== '0.3') throw new InvalidCall(`version ${version} is not 1.0 or 0.3`);
  if (op === 'GetAgentCard') {
    yield seenCard(await fetchCard(card, signal));
    return;
  }
  const operation = operations[op];
  if (!operation)
    throw new InvalidCall(`${op} is not one of GetAgentCard, ${Object.keys(operations).join(', ')}`);
  const options = callOptions(drive, principals, signal);
  yield* await operation(await connect(card, text(drive, 'binding'), signal), call, options);
}

/** What goes with the call: as whom, and which extensions are asked for. */
function callOptions(drive: Members, { tokens }: Principals, signal: AbortSignal): RequestOptions {
  const as = optionalText(drive, 'as');
  const token = as === undefined ? undefined : tokens.get(as);
  if (as !== undefined && token === undefined)
    throw new InvalidCall(`as ${as}: not a principal of LAB_AGENT_TOKENS`);
  const extensions = optionalTexts(drive, 'extensions') ?? [];
  const serviceParameters = ServiceParameters.create(
    ...(extensions.length > 0 ? [withA2AExtensions(...extensions)] : []),
    ...(token === undefined ? [] : [withBearer(token)]),
  );
  return { signal, serviceParameters };
}

/** Service parameters are headers over HTTP and metadata over gRPC. */
function withBearer(token: string) {
  return (parameters: ServiceParameters) => {
    parameters.Authorization = `Bearer ${token}`;
  };
}
