import { parseArgs } from 'node:util';

const roles = ['policy', 'flight', 'hotel'] as const;
const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;

export type RoleName = (typeof roles)[number];
export type Binding = (typeof bindings)[number];

export interface Options {
  readonly role: RoleName;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly grpcPort: number;
  readonly bindings: readonly Binding[];
}

/** A flag that cannot be honoured; the message is one line for the person who started the agent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The flags of docs/lab-agents.md that these agents have, and `--role`. */
export function readOptions(args: readonly string[]): Options {
  const flags = parse(args);
  const role = oneOf('role', roles, flags.role);
  oneOf('protocol', ['1.0'], flags.protocol);
  return {
    role,
    name: flags.name || role,
    host: flags.host,
    port: port('httpPort', flags.httpPort),
    grpcPort: port('grpcPort', flags.grpcPort),
    bindings: [...new Set(flags.bindings.split(',').map((one) => oneOf('bindings', bindings, one.trim())))],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        role: { type: 'string', default: '' },
        name: { type: 'string', default: '' },
        host: { type: 'string', default: '127.0.0.1' },
        httpPort: { type: 'string', default: '0' },
        grpcPort: { type: 'string', default: '0' },
        protocol: { type: 'string', default: '1.0' },
        bindings: { type: 'string', default: bindings.join() },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error));
  }
}

function port(flag: string, value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65535)
    throw new UsageError(`--${flag} ${value}: not a port (0 to 65535)`);
  return Number(value);
}

function oneOf<T extends string>(flag: string, known: readonly T[], value: string): T {
  const match = known.find((candidate) => candidate === value);
  if (match === undefined)
    throw new UsageError(`--${flag}${value === '' ? '' : ` ${value}`}: say one of ${known.join(', ')}`);
  return match;
}
