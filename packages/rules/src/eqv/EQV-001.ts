import type { DecodedExchange } from '@plugfest/a2a';
import type { Binding } from '@plugfest/model';
import type { Conversation, ExchangeRef } from '@plugfest/verifier';
import { defineRule, isMissingOperation } from '@plugfest/verifier';
import { grpc, grpcError, rest, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { wasServed } from '../refusal.ts';

const byRpc = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const missing = { code: -32601, message: 'Method not found' };
const byGrpc = { method: 'GetTask', request: { id: 'task-1' } } as const;
const unimplemented = grpcError({ ...byGrpc, status: 'UNIMPLEMENTED' });

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
  why: 'A client may choose any declared interface: what it can do with the agent must not hang on that choice.',
  fix: 'Register every operation on every interface of the card, or take the interface out of the card.',
  examples: {
    good: [
      [byRpc, rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [byRpc, grpc({ ...byGrpc, response: v1.task('WORKING') })],
      [
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') }),
        restV03({ verb: 'GET', path: '/v1/tasks/task-1', response: v03.task('working') }),
      ],
    ],
    skip: [[byRpc, byRpc], [rpc({ method: 'GetTask', params: { id: 'task-1' }, error: missing })]],
    bad: [
      { example: [byRpc, unimplemented], messages: ['here'] },
      { example: [unimplemented, byRpc], messages: ['there'] },
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
    report(isMissing ? 'here' : 'there', {
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

/** An answer that shows whether an operation is there, where another binding has shown it, too. */
function compared(exchange: DecodedExchange, conversation: Conversation): Compared | undefined {
  const { operation, dialect, captured } = exchange;
  if (operation === undefined || dialect === undefined) return undefined;
  const isMissing = isMissingOperation(exchange);
  if (!isMissing && !wasServed(exchange)) return undefined;
  const { version, binding } = dialect;
  const served = conversation.servedOn(captured.edge.callee, version, operation);
  const missing = conversation.missingOn(captured.edge.callee, version, operation);
  const others = [...served.keys(), ...missing.keys()].filter((each) => each !== binding);
  return others.length === 0 ? undefined : { binding, isMissing, served, missing };
}
