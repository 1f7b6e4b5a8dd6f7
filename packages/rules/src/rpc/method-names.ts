import { jsonRpcMethod, operations } from '@plugfest/a2a';
import type { ProtocolVersion } from '@plugfest/model';

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** Methods of a version on JSON-RPC. `tasks/list` is in the 0.3 table, though only for the other transports. */
export function coreMethods(version: ProtocolVersion): ReadonlySet<string> {
  const names = operations.flatMap(({ jsonrpc }) => jsonrpc[version] ?? []);
  return new Set(version === '0.3' ? [...names, 'tasks/list'] : names);
}

const byPlainName: ReadonlyMap<string, (typeof operations)[number]> = new Map(
  operations.flatMap((entry) =>
    [...Object.values(entry.jsonrpc), ...Object.values(entry.grpc)].map(
      (name) => [plain(name), entry] as const,
    ),
  ),
);

/**
 * The core method that a name was meant to be: the name of another version, or one in other letter case or with
 * other separators. Undefined for names that may well be those of an extension.
 */
export function intendedMethod(name: string, version: ProtocolVersion): string | undefined {
  return operationMeant(name)?.jsonrpc[version];
}

function operationMeant(name: string): (typeof operations)[number] | undefined {
  const last = name.split(/[.]/).at(-1) ?? name;
  return byPlainName.get(plain(name)) ?? byPlainName.get(plain(last));
}

/** The name of an operation in some version, however it is spelt. Others may be of another protocol at the same host. */
export const isOfA2A = (method: unknown): boolean =>
  typeof method === 'string' && (jsonRpcMethod(method) !== undefined || operationMeant(method) !== undefined);
