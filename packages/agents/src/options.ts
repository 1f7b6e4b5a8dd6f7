import { parseArgs } from 'node:util';

const protocols = ['1.0', '0.3', 'both'] as const;
const bindings = ['JSONRPC', 'HTTP+JSON'] as const;

export type Protocol = (typeof protocols)[number];
export type Binding = (typeof bindings)[number];

export interface AgentOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly protocol: Protocol;
  readonly bindings: readonly Binding[];
  readonly fault: string | undefined;
}

/** A flag that cannot be honoured; the message is one line for the person who started the agent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function readOptions(args: readonly string[]): AgentOptions {
  const flags = parse(args);
  return {
    name: flags.name || '@a2a-js/sdk',
    host: flags.host || '127.0.0.1',
    port: readPort(flags.httpPort),
    protocol: oneOf('protocol', protocols, flags.protocol),
    bindings: flags.bindings.split(',').map((binding) => oneOf('bindings', bindings, binding.trim())),
    fault: flags.fault,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        name: { type: 'string', default: '' },
        host: { type: 'string', default: '' },
        httpPort: { type: 'string', default: '0' },
        protocol: { type: 'string', default: '1.0' },
        bindings: { type: 'string', default: bindings.join() },
        fault: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error));
  }
}

function readPort(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65535)
    throw new UsageError(`--httpPort ${value}: not a port (0 to 65535)`);
  return port;
}

function oneOf<T extends string>(flag: string, known: readonly T[], value: string): T {
  const match = known.find((candidate) => candidate === value);
  if (match === undefined) throw new UsageError(`--${flag} ${value}: not one of ${known.join(', ')}`);
  return match;
}
