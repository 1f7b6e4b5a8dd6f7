import type { DecodedExchange } from '@plugfest/a2a';
import type { Binding, Operation, ProtocolVersion } from '@plugfest/model';
import type { ExchangeRef } from '../subjects.ts';
import { owned } from './owned.ts';

/** By binding, the first exchange in which an agent did, or did not, know an operation. */
export type ByBinding = ReadonlyMap<Binding, ExchangeRef>;

const none: ByBinding = new Map();

/** True for an answer that says that there is no such operation on this binding. */
export function isMissingOperation({ dialect, response }: DecodedExchange): boolean {
  const error = response?.error ?? response?.events?.[0]?.error;
  if (error?.name !== undefined) return error.name === 'MethodNotFoundError';
  if (dialect?.binding === 'GRPC') return error?.code === 12;
  return response?.status === 501;
}

/** Which operations an agent has on which bindings, as far as its answers say. */
export class Operations {
  readonly #served = new Map<string, Map<Binding, ExchangeRef>>();
  readonly #missing = new Map<string, Map<Binding, ExchangeRef>>();

  served(agent: string, version: ProtocolVersion, operation: Operation): ByBinding {
    return this.#served.get(owned(agent, `${version} ${operation}`)) ?? none;
  }

  missing(agent: string, version: ProtocolVersion, operation: Operation): ByBinding {
    return this.#missing.get(owned(agent, `${version} ${operation}`)) ?? none;
  }

  add(exchange: DecodedExchange, ref: ExchangeRef, accepted: boolean): void {
    const { dialect, operation } = exchange;
    if (dialect === undefined || operation === undefined) return;
    const seen = accepted ? this.#served : isMissingOperation(exchange) ? this.#missing : undefined;
    if (seen === undefined) return;
    const key = owned(ref.edge.callee, `${dialect.version} ${operation}`);
    const byBinding = seen.get(key);
    if (byBinding === undefined) seen.set(key, new Map([[dialect.binding, ref]]));
    else if (!byBinding.has(dialect.binding)) byBinding.set(dialect.binding, ref);
  }
}
