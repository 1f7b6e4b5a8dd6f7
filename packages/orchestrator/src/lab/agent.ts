import { resolve } from 'node:path';
import { isJsonObject } from '@plugfest/model';
import type { z } from 'zod';
import { withAddresses } from './addresses.ts';
import type { LabAgent } from './lab.ts';
import type { KeyPath, Positions } from './positions.ts';
import { line, problemsOf } from './problems.ts';
import { agentName, cardAgent, commandAgent, kindAgent } from './schema.ts';
import { type Environment, substitute } from './substitute.ts';

interface Surroundings {
  readonly positions: Positions;
  readonly env: Environment;
  /** Folder of the lab file. */
  readonly folder: string;
}

export interface ReadAgent {
  readonly agent?: LabAgent;
  readonly problems: readonly string[];
}

/** One entry of `agents`. Its form is decided by the key it has, so that messages speak of that form only. */
export function readAgent(name: string, value: unknown, surroundings: Surroundings): ReadAgent {
  const { positions } = surroundings;
  const path = ['agents', name];
  const key = (problem: string) => [line(positions.key(path), path, problem)];
  if (!agentName.test(name))
    return { problems: key('a name has letters, digits, dot, dash and underscore, 64 at most') };
  if (name === 'plugfest') return { problems: key('the name plugfest is taken by the harness itself') };
  const forms = isJsonObject(value) ? Object.keys(value) : [];
  if (isJsonObject(value) && 'delegate' in value && value.drive === true)
    return {
      problems: key('`drive: true` takes drive calls, so `delegate` has no use: leave one of them out'),
    };
  if (forms.includes('kind'))
    return check(kindAgent, value, path, positions, (data) => kindOf(name, data, path, positions));
  if (forms.includes('command'))
    return check(commandAgent, value, path, positions, (data) => commandOf(name, data, surroundings.folder));
  if (forms.includes('card')) {
    const { value: filled, problems } = withAddresses(value, path, surroundings);
    if (problems.length > 0) return { problems };
    return check(cardAgent, filled, path, positions, (data) => cardOf(name, data, path, surroundings));
  }
  return { problems: key('an agent has one of the keys kind, command or card') };
}

function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: KeyPath,
  positions: Positions,
  build: (data: z.infer<Schema>) => ReadAgent,
): ReadAgent {
  const parsed = schema.safeParse(value, { reportInput: true });
  return parsed.success
    ? build(parsed.data)
    : { problems: problemsOf(parsed.error, schema, positions, path) };
}

function kindOf(
  name: string,
  data: z.infer<typeof kindAgent>,
  path: KeyPath,
  positions: Positions,
): ReadAgent {
  if (data.extendedCard === true && data.auth === undefined) {
    const where = [...path, 'extendedCard'];
    return { problems: [line(positions.value(where), where, 'an extended card needs `auth: bearer`')] };
  }
  return {
    problems: [],
    agent: {
      form: 'kind',
      name,
      kind: data.kind,
      protocol: data.protocol,
      ...(data.bindings ? { bindings: data.bindings } : {}),
      ...(data.auth === undefined ? {} : { auth: data.auth }),
      extendedCard: data.extendedCard ?? false,
      signCard: data.signCard ?? false,
      ...(data.requireExtension === undefined ? {} : { requireExtension: data.requireExtension }),
      ...(data.offerExtension === undefined ? {} : { offerExtension: data.offerExtension }),
      optional: data.optional ?? false,
      ...(data.fault === undefined ? {} : { fault: data.fault }),
      args: data.args ?? [],
      env: data.env ?? {},
      drive: data.drive ?? true,
      timeouts: given(data.timeouts),
    },
  };
}

function commandOf(name: string, data: z.infer<typeof commandAgent>, folder: string): ReadAgent {
  return {
    problems: [],
    agent: {
      form: 'command',
      name,
      command: data.command,
      cwd: resolve(folder, data.cwd ?? '.'),
      env: data.env ?? {},
      ...(data.card === undefined ? {} : { card: data.card }),
      origins: originsOf(data.origins),
      drive: data.drive ?? false,
      ...(data.delegate === undefined ? {} : { delegate: data.delegate }),
      timeouts: given(data.timeouts),
    },
  };
}

function cardOf(
  name: string,
  data: z.infer<typeof cardAgent>,
  path: KeyPath,
  { positions, env }: Surroundings,
): ReadAgent {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  const problems: string[] = [];
  for (const [header, template] of Object.entries(data.headers ?? {})) {
    const where = [...path, 'headers', header];
    const { value, missing, filled } = substitute(template, env);
    secrets.push(...filled);
    for (const variable of missing)
      problems.push(line(positions.value(where), where, `the environment variable ${variable} is not set`));
    // A line break in a header value would let it add headers of its own.
    if (/[\r\n\0]/.test(value))
      problems.push(line(positions.value(where), where, 'the value has a line break'));
    headers[header] = value;
  }
  if (problems.length > 0) return { problems };
  return {
    problems,
    agent: {
      form: 'card',
      name,
      card: data.card,
      origins: originsOf(data.origins),
      ...(data.alias === undefined ? {} : { alias: data.alias }),
      ...(data.keys === undefined ? {} : { keys: data.keys }),
      headers,
      secrets,
      drive: data.drive ?? false,
      ...(data.delegate === undefined ? {} : { delegate: data.delegate }),
      timeouts: given(data.timeouts),
    },
  };
}

function given(
  timeouts: { startMs?: number | undefined; cellMs?: number | undefined } = {},
): LabAgent['timeouts'] {
  const { startMs, cellMs } = timeouts;
  return { ...(startMs === undefined ? {} : { startMs }), ...(cellMs === undefined ? {} : { cellMs }) };
}

function originsOf(urls: readonly string[] = []): readonly string[] {
  return urls.map((url) => new URL(url).origin);
}
