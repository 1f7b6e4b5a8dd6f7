import type { CallResult } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { nameAt } from '../agents/tokens.ts';
import { connect, extensionsOf, nobody } from '../client/connect.ts';
import type { HttpClient } from '../client/http.ts';
import { NetworkError } from '../client/network-error.ts';
import type { Address, RawClient } from '../client/raw-client.ts';
import { seenError } from '../client/seen.ts';
import {
  type CallOptions,
  ClientLacks,
  type Dialect,
  type DriveCall,
  DriveFailure,
  type DriveResult,
  type Driver,
} from './drive.ts';
import { readDriveResult } from './drive-result.ts';

export interface AgentDriverOptions {
  readonly http: HttpClient;
  /** The client agent, by way of the tap plugfest → client. */
  readonly client: Address;
  /** A dialect in which the client agent can be told. */
  readonly via: Dialect;
  /** Base URL of the tap client → server. */
  readonly serverUrl: string;
  /** URIs that the server's card requires. */
  readonly requiredExtensions: readonly string[];
  /** What the client is to speak. */
  readonly dialect: Dialect;
  /** The principal on whose behalf it calls, where the server wants to know one. */
  readonly as?: string | undefined;
  /** Name of the server: what the client has of a principal's is for one server. */
  readonly server: string;
  nextMessageId(): string;
  /** Called before the client is told anything: what it sends from then on belongs to who tells it. */
  claim(): void;
}

/** An agent's own SDK client, told by drive calls (docs/lab-agents.md). */
export class AgentDriver implements Driver {
  readonly client: string;
  readonly #options: AgentDriverOptions;
  #connected: Promise<RawClient> | undefined;

  constructor(options: AgentDriverOptions) {
    this.#options = options;
    this.client = options.client.name;
  }

  async call(call: DriveCall, signal: AbortSignal, options: CallOptions = {}): Promise<DriveResult> {
    const { dialect, server, serverUrl, nextMessageId } = this.#options;
    const { as = this.#options.as } = options;
    const extensions = extensionsOf(options, this.#options.requiredExtensions);
    const order = {
      plugfest: 'drive/1',
      card: serverUrl,
      ...dialect,
      ...(as === undefined || as === nobody ? {} : { as: nameAt(as, server) }),
      ...(extensions.length === 0 ? {} : { extensions }),
      call: call as unknown as Json,
    };
    const parts = [{ data: order, mediaType: 'application/json' }];
    const message = { messageId: nextMessageId(), role: 'ROLE_USER', parts };
    const result = await this.tell({ message }, call.op, signal);
    const read = readDriveResult(driveResultOf(result, call.op, this.client), call.op, this.client);
    if (read.error?.name === 'UnsupportedByClient')
      throw new ClientLacks(
        `the client of ${this.client} has no ${call.op} for ${dialect.binding} ${dialect.version}`,
      );
    return read;
  }

  /** Sends something to the client agent itself. @throws DriveFailure where it does not answer with a result. */
  async tell(params: JsonObject, what: string, signal: AbortSignal): Promise<CallResult> {
    try {
      const client = await this.connected(signal);
      this.#options.claim();
      const result = await client.call('SendMessage', params, signal);
      if (result.ok) return result;
      const error = result.error ? seenError(result.error) : undefined;
      const why = error ? `${error.name}: ${error.message}` : `HTTP ${result.status}`;
      throw new DriveFailure(`${this.client} refused to be told ${what} (${why})`);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      throw new DriveFailure(`${this.client} could not be told ${what}: ${error.message}`, { cause: error });
    }
  }

  connected(signal: AbortSignal): Promise<RawClient> {
    const { http, client, via } = this.#options;
    this.#connected ??= connect(http, client, via, signal);
    return this.#connected;
  }
}

function driveResultOf({ task, message }: CallResult, op: string, agent: string): Json | undefined {
  if (!task) {
    const got = message ? 'a message' : 'neither task nor message';
    throw new DriveFailure(`${agent} answered the drive call ${op} with ${got}`);
  }
  const artifact = task.artifacts?.find(({ name }) => name === 'drive-result');
  const part = artifact?.parts.find(({ kind }) => kind === 'data');
  if (!part) {
    const state = task.status.state ?? 'no state';
    const text = task.status.message?.parts.map((one) => one.text ?? '').join('');
    throw new DriveFailure(
      `${agent} answered the drive call ${op} without a drive-result (${state}${text ? `: ${text}` : ''})`,
    );
  }
  return isJsonObject(part.value) ? part.value.data : undefined;
}
