import { parseArgs } from 'node:util';
import { type Principals, readPrincipals } from './principals.ts';

const protocols = ['1.0', '0.3', 'both'] as const;
const bindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
const authentications = ['bearer'] as const;

export type Protocol = (typeof protocols)[number];
export type Binding = (typeof bindings)[number];

export interface AgentOptions {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly grpcPort: number;
  readonly protocol: Protocol;
  readonly bindings: readonly Binding[];
  /** `bearer`: calls without a known token are refused. */
  readonly auth: 'bearer' | undefined;
  readonly extendedCard: boolean;
  /** Signs the card of 1.0. */
  readonly signCard: boolean;
  /** URI of an extension without which no message is taken. */
  readonly requireExtension: string | undefined;
  /** URI of an extension that a message may ask for. */
  readonly offerExtension: string | undefined;
  readonly fault: string | undefined;
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
    name: flags.name || '@a2a-js/sdk',
    host: flags.host || '127.0.0.1',
    port: readPort('httpPort', flags.httpPort),
    grpcPort: readPort('grpcPort', flags.grpcPort),
    protocol: oneOf('protocol', protocols, flags.protocol),
    bindings: readBindings(flags.bindings),
    auth: flags.auth === undefined ? undefined : oneOf('auth', authentications, flags.auth),
    extendedCard: flags.extendedCard,
    signCard: flags.signCard,
    requireExtension: flags.requireExtension,
    offerExtension: flags.offerExtension,
    fault: flags.fault,
    principals: principalsOf(environment.LAB_AGENT_TOKENS),
  };
  if (options.auth && options.principals.tokens.size === 0)
    throw new UsageError('--auth bearer: set LAB_AGENT_TOKENS, e.g. alice=TOKEN,bob=TOKEN');
  if (options.signCard && options.protocol === '0.3')
    throw new UsageError('--signCard: the SDK signs cards of 1.0');
  for (const flag of ['requireExtension', 'offerExtension'] as const) {
    const uri = options[flag];
    if (uri !== undefined && !URL.canParse(uri))
      throw new UsageError(`--${flag} ${uri}: not an absolute URI`);
  }
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
        protocol: { type: 'string', default: '1.0' },
        bindings: { type: 'string', default: bindings.join() },
        auth: { type: 'string' },
        extendedCard: { type: 'boolean', default: false },
        signCard: { type: 'boolean', default: false },
        requireExtension: { type: 'string' },
        offerExtension: { type: 'string' },
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
