import { type DecodedExchange, isTerminal, versionOf } from '@plugfest/a2a';
import type { Binding, Operation, ProtocolVersion } from '@plugfest/model';
import type { ExchangeRef, TaskHistory } from '../subjects.ts';
import { owned } from './owned.ts';

/** By binding, the first exchange in which an agent did, or did not, know an operation. */
export type ByBinding = ReadonlyMap<Binding, ExchangeRef>;

/** By binding, the first refusal of a faulty request, with the error's name. */
export type Refusals = ReadonlyMap<Binding, { readonly exchange: ExchangeRef; readonly name: string }>;

/** By agent, version and operation. */
type Seen = Map<string, Map<ProtocolVersion, Map<Operation, Map<Binding, ExchangeRef>>>>;

function getOrInsert<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Map<L, V>();
  map.set(key, made);
  return made;
}

const none: ByBinding = new Map();
const noRefusals: Refusals = new Map();

/**
 * What is wrong with a request, where this can be told of requests that differ: it names a task that its sender made up,
 * or one that is finished. `task` is what the agent has shown of the named task before.
 */
export function faultOf(
  { captured, operation, dialect }: DecodedExchange,
  taskId: string | undefined,
  task: TaskHistory | undefined,
): string | undefined {
  if (operation === undefined || dialect === undefined || taskId === undefined) return undefined;
  const fault = task === undefined ? captured.purpose === 'probe' && 'unknown' : endOf(task);
  return fault ? `${dialect.version} ${operation} ${fault}` : undefined;
}

const endOf = ({ observations }: TaskHistory): string | undefined => {
  const state = observations.at(-1)?.state;
  return isTerminal(state) ? state : undefined;
};

/** Operations that no capability and no state of a task make unsupported: where they are, they are there. */
const always: ReadonlySet<Operation | undefined> = new Set<Operation>(['GetTask', 'ListTasks', 'CancelTask']);

/** The method is one of the other side of the 1.0 line than the version that the request announces. */
export function isMixedCall({ request, dialect, operation }: DecodedExchange): boolean {
  const announced = versionOf(request.a2aVersion);
  if (announced === undefined || dialect === undefined || operation === undefined) return false;
  return (announced === '1.0') !== (dialect.version === '1.0');
}

/**
 * True for an answer that says that there is no such operation on this binding. In gRPC `UNIMPLEMENTED` has been the
 * status of UnsupportedOperationError, too (1.0.0 section 5.4).
 */
export function isMissingOperation(exchange: DecodedExchange): boolean {
  const { dialect, operation, response } = exchange;
  // That says only that the announced version has no such method (section 3.6.2).
  if (isMixedCall(exchange)) return false;
  const error = response?.error ?? response?.events?.[0]?.error;
  if (error?.name !== undefined) return error.name === 'MethodNotFoundError';
  if (dialect?.binding === 'GRPC') return error?.code === 12 && always.has(operation);
  return response?.status === 501;
}

/** Which operations an agent has on which bindings, as far as its answers say. */
export class Operations {
  readonly #served: Seen = new Map();
  readonly #missing: Seen = new Map();

  readonly #refusals = new Map<string, Map<Binding, { exchange: ExchangeRef; name: string }>>();

  served(agent: string, version: ProtocolVersion, operation: Operation): ByBinding {
    return this.#served.get(agent)?.get(version)?.get(operation) ?? none;
  }

  missing(agent: string, version: ProtocolVersion, operation: Operation): ByBinding {
    return this.#missing.get(agent)?.get(version)?.get(operation) ?? none;
  }

  refusals(agent: string, fault: string): Refusals {
    return this.#refusals.get(owned(agent, fault)) ?? noRefusals;
  }

  /** A request with a fault that is known; the faults are few, whatever the requests. */
  refuse({ dialect, response }: DecodedExchange, exchange: ExchangeRef, fault: string): void {
    const name = (response?.error ?? response?.events?.[0]?.error)?.name;
    if (dialect === undefined || name === undefined) return;
    const key = owned(exchange.edge.callee, fault);
    const byBinding = this.#refusals.get(key) ?? new Map<Binding, { exchange: ExchangeRef; name: string }>();
    if (!byBinding.has(dialect.binding)) byBinding.set(dialect.binding, { exchange, name });
    this.#refusals.set(key, byBinding);
  }

  add(exchange: DecodedExchange, ref: ExchangeRef, accepted: boolean): void {
    const { dialect, operation } = exchange;
    if (dialect === undefined || operation === undefined) return;
    const seen = isMissingOperation(exchange) ? this.#missing : accepted ? this.#served : undefined;
    if (seen === undefined) return;
    const byVersion = getOrInsert(seen, ref.edge.callee);
    const byBinding = getOrInsert(getOrInsert(byVersion, dialect.version), operation);
    if (!byBinding.has(dialect.binding)) byBinding.set(dialect.binding, ref);
  }
}
