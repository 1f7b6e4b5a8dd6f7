import type { Binding } from '@plugfest/model';
import type { Conversation, ExchangeRef } from '@plugfest/verifier';
import { defineRule, isMissingOperation } from '@plugfest/verifier';
import { grpcError, rest, restV03, rpc } from '@plugfest/verifier/examples';
import { onceForEachIn } from '../last-exchange.ts';
import { wasServed } from '../refusal.ts';
import { bindingPairs, reading } from './readings.ts';

const byRpc = reading('1.0', 'JSONRPC');
const byRest = reading('1.0', 'HTTP+JSON');
const missing = { code: -32601, message: 'Method not found' };
/** A Get Task over a binding that does not have it. */
const without = {
  '1.0': {
    JSONRPC: rpc({ method: 'GetTask', params: { id: 'task-1' }, error: missing }),
    'HTTP+JSON': rest({ verb: 'GET', path: '/tasks/task-1', status: 501, responseText: '' }),
    GRPC: grpcError({ method: 'GetTask', request: { id: 'task-1' }, status: 'UNIMPLEMENTED' }),
  },
  '0.3': {
    JSONRPC: rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, error: missing }),
    'HTTP+JSON': restV03({ verb: 'GET', path: '/v1/tasks/task-1', status: 501, responseText: '' }),
    GRPC: grpcError({
      version: '0.3',
      method: 'GetTask',
      request: { name: 'tasks/task-1' },
      status: 'UNIMPLEMENTED',
    }),
  },
} as const;

export default defineRule({
  id: 'EQV-001',
  level: 'MUST',
  party: 'server',
  summary: 'An operation that an agent has on one binding it has on all.',
  spec: { '0.3': '3.4.1', '1.0': '5.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    here: '{operation} is not there over {binding}, and is over {other}',
    there: '{operation} is served over {binding}, and was not there over {other}',
  },
  why: 'A client may choose any declared interface: what it can do with the agent must not hang on that choice. In gRPC the same status stands for a version that is not supported, so there it is a warning.',
  fix: 'Register every operation on every interface of the card, or take the interface out of the card.',
  examples: {
    good: bindingPairs.map(([version, one, another]) => [reading(version, one), reading(version, another)]),
    skip: [
      [byRpc, byRpc],
      [without['1.0'].JSONRPC],
      // The version that the request announces has no such method, whatever the binding (VER-009).
      [
        byRest,
        rpc({
          method: 'GetTask',
          params: { id: 'task-1' },
          headers: { 'A2A-Version': '0.3' },
          purpose: 'probe',
          error: missing,
        }),
      ],
    ],
    bad: [
      ...bindingPairs.flatMap(([version, one, another]) => [
        { example: [reading(version, one), without[version][another]], messages: ['here'] as const },
        { example: [without[version][another], reading(version, one)], messages: ['there'] as const },
      ]),
      // A binding that had the operation, and has it no more.
      { example: [byRest, byRpc, without['1.0']['HTTP+JSON']], messages: ['here'] },
    ],
  },
  when: (exchange, { conversation }) => compared(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const comparison = compared(exchange, conversation);
    if (comparison === undefined) return;
    const { isMissing, served, missing, binding } = comparison;
    const other = [...(isMissing ? served : missing)].find(([each]) => each !== binding);
    const isNew = !(isMissing ? missing : served).has(binding);
    // Who calls it again gets the same: once for each binding is enough.
    if (other === undefined || !isNew) return;
    const [name, seen] = other;
    const lacking = isMissing ? binding : name;
    report(isMissing ? 'here' : 'there', {
      ...(lacking === 'GRPC' ? { outcome: 'warn' as const } : {}),
      ...(isMissing ? {} : { exchange: seen }),
      data: { operation: exchange.operation, binding, other: name },
      at: { side: 'response' },
      expected: 'the operation on both',
    });
  },
});

interface Compared {
  readonly binding: Binding;
  readonly isMissing: boolean;
  readonly served: ReadonlyMap<Binding, ExchangeRef>;
  readonly missing: ReadonlyMap<Binding, ExchangeRef>;
}

const hasOther = (seen: ReadonlyMap<Binding, ExchangeRef>, binding: Binding): boolean =>
  seen.size > (seen.has(binding) ? 1 : 0);

/** An answer that shows whether an operation is there, where another binding has shown it, too. */
const compared = onceForEachIn((exchange, conversation: Conversation): Compared | undefined => {
  const { operation, dialect, captured } = exchange;
  if (operation === undefined || dialect === undefined) return undefined;
  const { version, binding } = dialect;
  const served = conversation.servedOn(captured.edge.callee, version, operation);
  const missing = conversation.missingOn(captured.edge.callee, version, operation);
  if (!hasOther(served, binding) && !hasOther(missing, binding)) return undefined;
  const isMissing = isMissingOperation(exchange);
  return isMissing || wasServed(exchange) ? { binding, isMissing, served, missing } : undefined;
});
