import { isStreaming } from '@plugfest/a2a';
import type { Operation } from '@plugfest/model';
import { connect, fetchCard } from '../client/connect.ts';
import type { HttpClient } from '../client/http.ts';
import { NetworkError } from '../client/network-error.ts';
import { operationOf } from '../client/params.ts';
import type { Address, RawClient } from '../client/raw-client.ts';
import {
  InvalidAnswer,
  seenCard,
  seenError,
  seenPushConfig,
  seenResult,
  seenStreamEvent,
  seenTask,
} from '../client/seen.ts';
import type { CallOptions, Dialect, DriveCall, DriveEvent, DriveResult, Driver } from './drive.ts';

/** Plugfest itself as the client: strict in what it accepts. */
export class RawDriver implements Driver {
  readonly client = 'plugfest';
  readonly #http: HttpClient;
  readonly #address: Address;
  readonly #dialect: Dialect;
  readonly #connected = new Map<string, Promise<RawClient>>();

  constructor(http: HttpClient, address: Address, dialect: Dialect) {
    this.#http = http;
    this.#address = address;
    this.#dialect = dialect;
  }

  /** The client behind it. The card is fetched once for whoever calls. */
  connected(signal: AbortSignal, options: CallOptions = {}): Promise<RawClient> {
    const key = JSON.stringify([options.as, options.extensions, options.ignoresRequired]);
    const known = this.#connected.get(key);
    if (known !== undefined) return known;
    const connecting = connect(this.#http, this.#address, this.#dialect, signal, options);
    this.#connected.set(key, connecting);
    return connecting;
  }

  async call(call: DriveCall, signal: AbortSignal, options: CallOptions = {}): Promise<DriveResult> {
    if (call.op === 'GetAgentCard') return this.#card(signal);
    const client = await this.connected(signal, options);
    const events: DriveEvent[] = [];
    try {
      const { operation, params } = operationOf(call);
      if (isStreaming(operation)) {
        const stopAfterEvents = 'stopAfterEvents' in call ? call.stopAfterEvents : undefined;
        const options = { signal, ...(stopAfterEvents === undefined ? {} : { stopAfterEvents }) };
        return await streamed(client, operation, params, options, events);
      }
      const result = await client.call(operation, params, signal);
      if (result.error) return { ok: false, error: seenError(result.error), events };
      if (!result.ok) throw new InvalidAnswer(`HTTP ${result.status} without a result`);
      switch (operation) {
        case 'SendMessage':
          return { ok: true, events: [seenResult(result)] };
        case 'GetTask':
        case 'CancelTask':
          if (!result.task) throw new InvalidAnswer('the answer holds no task');
          return { ok: true, events: [seenTask(result.task)] };
        case 'DeleteTaskPushNotificationConfig':
          return { ok: true, events: [] };
        case 'ListTasks': {
          const page = { nextPageToken: result.nextPageToken ?? '', totalSize: result.totalSize };
          const { totalSize, ...rest } = page;
          const last = { kind: 'page', ...rest, ...(totalSize === undefined ? {} : { totalSize }) } as const;
          return { ok: true, events: [...result.tasks.map(seenTask), last] };
        }
        case 'GetExtendedAgentCard':
          if (!result.card) throw new InvalidAnswer('the answer holds no card');
          return { ok: true, events: [seenCard(result.card)] };
        case 'ListTaskPushNotificationConfigs':
          return { ok: true, events: result.configs.map(seenPushConfig) };
        default:
          if (!result.config) throw new InvalidAnswer('the answer holds no push config');
          return { ok: true, events: [seenPushConfig(result.config)] };
      }
    } catch (error) {
      return { ok: false, error: failure(error), events };
    }
  }

  async #card(signal: AbortSignal): Promise<DriveResult> {
    const answer = await fetchCard(this.#http, this.#address, signal);
    if (answer.kind !== 'card')
      return { ok: false, error: { name: 'CardError', message: answer.reason }, events: [] };
    return { ok: true, events: [seenCard(answer.card)] };
  }
}

async function streamed(
  client: RawClient,
  operation: Operation,
  params: Parameters<RawClient['stream']>[1],
  options: Parameters<RawClient['stream']>[2],
  events: DriveEvent[],
): Promise<DriveResult> {
  const answer = await client.stream(operation, params, options);
  const { refusal } = answer;
  if (refusal?.error) return { ok: false, error: seenError(refusal.error), events };
  if (refusal)
    throw new InvalidAnswer(
      `HTTP ${refusal.status} ${refusal.mediaType || 'without a media type'}, no stream`,
    );
  for (const event of answer.events) {
    if (event.error) return { ok: false, error: seenError(event.error), events };
    events.push(seenStreamEvent(event));
  }
  if (answer.error !== undefined) return { ok: false, error: seenError(answer.error), events };
  if (answer.broken !== undefined) throw new NetworkError(`the stream broke off: ${answer.broken}`);
  events.push({ kind: 'closed', by: answer.closedBy });
  return { ok: true, events };
}

function failure(error: unknown): { readonly name: string; readonly message: string } {
  if (error instanceof NetworkError || error instanceof InvalidAnswer)
    return { name: error.name, message: error.message };
  throw error;
}
