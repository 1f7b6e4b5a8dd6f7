import { parseArgs } from 'node:util';
import { type Principals, readPrincipals } from './principals.ts';

const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
const authentications = ['bearer'] as const;

export type Binding = (typeof bindings)[number];

export interface AgentOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly grpcPort: number;
  readonly bindings: readonly Binding[];
  /** `bearer`: calls without a known token are refused. */
  readonly auth: 'bearer' | undefined;
  readonly extendedCard: boolean;
  readonly signCard: boolean;
  /** Whom the agent knows, as a server and as a client. */
  readonly principals: Principals;
}

/** A flag or variable that cannot be honoured; the message is one line for the person who started the agent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): AgentOptions {
  const flags = parse(args);
  const options: AgentOptions = {
    name: flags.name || '@a2a-js/sdk 0.3',
    host: flags.host || '127.0.0.1',
    port: readPort('httpPort', flags.httpPort),
    grpcPort: readPort('grpcPort', flags.grpcPort),
    bindings: readBindings(flags.bindings),
    auth: flags.auth === undefined ? undefined : oneOf('auth', authentications, flags.auth),
    extendedCard: flags.extendedCard,
    signCard: flags.signCard,
    principals: principalsOf(environment.LAB_AGENT_TOKENS),
  };
  if (flags.protocol !== '0.3')
    throw new UsageError(`--protocol ${flags.protocol}: this SDK has 0.3 only, so --protocol 0.3`);
  if (flags.fault !== undefined)
    throw new UsageError(`--fault ${flags.fault}: this agent plays no defects; the bundled JS agent does`);
  if (options.auth && options.principals.tokens.size === 0)
    throw new UsageError('--auth bearer: set LAB_AGENT_TOKENS, e.g. alice=TOKEN,bob=TOKEN');
  if (options.extendedCard && !options.auth) throw new UsageError('--extendedCard: needs --auth bearer');
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        name: { type: 'string', default: '' },
        host: { type: 'string', default: '' },
        httpPort: { type: 'string', default: '0' },
        grpcPort: { type: 'string', default: '0' },
        protocol: { type: 'string', default: '0.3' },
        bindings: { type: 'string', default: bindings.join() },
        auth: { type: 'string' },
        extendedCard: { type: 'boolean', default: false },
        signCard: { type: 'boolean', default: false },
        fault: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error));
  }
}

function readPort(flag: string, value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65535)
    throw new UsageError(`--${flag} ${value}: not a port (0 to 65535)`);
  return port;
}

function readBindings(list: string): readonly Binding[] {
  return [...new Set(list.split(',').map((binding) => oneOf('bindings', bindings, binding.trim())))];
}

function principalsOf(variable: string | undefined): Principals {
  const read = readPrincipals(variable ?? '');
  if ('problem' in read) throw new UsageError(`LAB_AGENT_TOKENS: ${read.problem}`);
  return read;
}

function oneOf<T extends string>(flag: string, known: readonly T[], value: string): T {
  const match = known.find((candidate) => candidate === value);
  if (match === undefined) throw new UsageError(`--${flag} ${value}: not one of ${known.join(', ')}`);
  return match;
}
