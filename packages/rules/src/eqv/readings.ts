import type { Binding, Json } from '@plugfest/model';
import { type ExampleExchange, grpc, rest, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';

type Version = '0.3' | '1.0';
type More = Parameters<typeof v1.task>[1];

/** The proto of 0.3 has no `kind`, and spells states like 1.0 does. */
const protoTask = (more: More): Json => {
  const { status, ...task } = v1.task('COMPLETED', more);
  return { ...task, status: status ?? null };
};

/** A Get Task of the finished task `task-1` over one binding of a version, for examples; `more` changes the task. */
export function reading(version: Version, binding: Binding, more: More = {}): ExampleExchange {
  if (version === '1.0') {
    const task = v1.task('COMPLETED', more);
    if (binding === 'JSONRPC') return rpc({ method: 'GetTask', params: { id: 'task-1' }, result: task });
    if (binding === 'HTTP+JSON') return rest({ verb: 'GET', path: '/tasks/task-1', response: task });
    return grpc({ method: 'GetTask', request: { id: 'task-1' }, response: task });
  }
  const task = v03.task('completed', more);
  if (binding === 'JSONRPC')
    return rpc({ version, method: 'tasks/get', params: { id: 'task-1' }, result: task });
  if (binding === 'HTTP+JSON') return restV03({ verb: 'GET', path: '/v1/tasks/task-1', response: task });
  return grpc({ version, method: 'GetTask', request: { name: 'tasks/task-1' }, response: protoTask(more) });
}

/** Pairs that have every binding of every version in one of them. */
export const bindingPairs = [
  ['1.0', 'JSONRPC', 'HTTP+JSON'],
  ['1.0', 'JSONRPC', 'GRPC'],
  ['0.3', 'JSONRPC', 'HTTP+JSON'],
  ['0.3', 'HTTP+JSON', 'GRPC'],
] as const;
