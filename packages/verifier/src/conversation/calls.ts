import type { DecodedExchange } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { owned } from './owned.ts';

/** Distinct credentials of which the use is kept: callers give them, so it is bounded. */
const keptCredentials = 8192;

/** What one caller did towards one agent, beside tasks. */
export interface CallerRecord {
  /** A message of its went out without `traceparent`. */
  readonly untraced: boolean;
  /** The agent served a call of its that carried `Authorization`. */
  readonly authorized: boolean;
  /** The agent's last `Retry-After`, until the agent served it again. */
  readonly hint: RetryHint | undefined;
}

/** When an agent asked a caller to stay away, and until when, in monotonic ns of the run. */
export interface RetryHint {
  readonly atNs: number;
  readonly untilNs: number;
}

/** Who held a credential: it came from the one, and went to the other. */
export interface CredentialUse {
  readonly caller: string;
  readonly agent: string;
}

const noRecord: CallerRecord = { untraced: false, authorized: false, hint: undefined };
const noUses: readonly CredentialUse[] = [];

/** What callers did towards agents, and were told by them, beside tasks. */
export class Calls {
  readonly #records = new Map<string, CallerRecord>();
  readonly #uses = new Map<string, readonly CredentialUse[]>();

  of(caller: string, agent: string): CallerRecord {
    return this.#records.get(owned(caller, agent)) ?? noRecord;
  }

  usesOf(credential: string): readonly CredentialUse[] {
    return this.#uses.get(credential) ?? noUses;
  }

  /** `served`: the agent answered with something else than an error. */
  add({ captured, operation, response }: DecodedExchange, served: boolean): void {
    const { edge, request } = captured;
    const { caller, callee: agent } = edge;
    const before = this.of(caller, agent);
    let { untraced, authorized, hint } = before;
    const authorization = header(request.headers, 'authorization');
    if (authorization !== undefined) {
      this.#use(authorization, caller, agent);
      authorized ||= served;
    }
    if (operation === 'SendMessage' || operation === 'SendStreamingMessage')
      untraced ||= header(request.headers, 'traceparent') === undefined;
    if (response?.status === 429 || response?.status === 503) {
      const seconds = header(captured.response?.headers ?? [], 'retry-after')?.trim() ?? '';
      const atNs = captured.response?.atNs ?? request.atNs;
      if (/^\d{1,6}$/.test(seconds)) hint = { atNs, untilNs: atNs + Number(seconds) * 1e9 };
    } else if (served) hint = undefined;
    if (untraced !== before.untraced || authorized !== before.authorized || hint !== before.hint)
      this.#records.set(owned(caller, agent), { untraced, authorized, hint });
  }

  #use(credential: string, caller: string, agent: string): void {
    const uses = this.usesOf(credential);
    if (uses.some((use) => use.caller === caller && use.agent === agent)) return;
    if (uses.length === 0 && this.#uses.size >= keptCredentials) return;
    this.#uses.set(credential, [...uses, { caller, agent }]);
  }
}
