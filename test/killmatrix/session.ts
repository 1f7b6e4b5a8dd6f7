import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@plugfest/model';
import {
  type Example,
  type ExampleExchange,
  getCard,
  rpc,
  type Target,
  translate,
  v1,
} from '@plugfest/verifier/examples';

/** Exchanges that only make sense together, by names that mutations find them by. */
export interface Episode {
  /** Where the episode exists; everywhere that it can be said, where it is not given. */
  readonly only?: (target: Target) => boolean;
  /** Plain HTTP of 1.0 that is the same beside every binding, like signed cards. */
  readonly asItIs?: boolean;
  readonly exchanges: Readonly<Record<string, ExampleExchange>>;
}

type Draft = string | number | boolean | null | Draft[] | { [name: string]: Draft };

/** Short names for the places of a JSON-RPC exchange, which the episodes are written in. */
const places: readonly (readonly [string, string])[] = [
  ['params', 'request/body/params'],
  ['result', 'response/body/result'],
  ['error', 'response/body/error'],
  ['headers', 'request/headers'],
];

function stepsOf(path: string): string[] {
  const event = /^event(\d+)(?:\/(.*))?$/.exec(path);
  if (event !== null) return stepsOf(`response/sse/${event[1]}/data/result${event[2] ? `/${event[2]}` : ''}`);
  for (const [short, long] of places)
    if (path === short || path.startsWith(`${short}/`)) return stepsOf(long + path.slice(short.length));
  return path.split('/').map((step) => step.replaceAll('~1', '/'));
}

/** A conversation that a mutation changes one thing of. */
export class Session {
  readonly #exchanges: Map<string, Draft>;

  constructor(exchanges: ReadonlyMap<string, ExampleExchange>) {
    this.#exchanges = new Map(
      [...exchanges].map(([name, exchange]) => [name, structuredClone(exchange) as unknown as Draft]),
    );
  }

  has(name: string): boolean {
    return this.#exchanges.has(name);
  }

  /** The names of the exchanges, in order. */
  names(): readonly string[] {
    return [...this.#exchanges.keys()];
  }

  exchanges(): ReadonlyMap<string, ExampleExchange> {
    return new Map([...this.#exchanges].map(([name, draft]) => [name, draft as unknown as ExampleExchange]));
  }

  get(name: string, path: string): Json {
    const [holder, last] = this.#holder(name, path);
    const value = Array.isArray(holder) ? holder[Number(last)] : holder[last];
    if (value === undefined) throw new Error(`${name} has no ${path}`);
    return value as Json;
  }

  /** Sets a member, which may be new; the objects above it are there. */
  set(name: string, path: string, value: Json): void {
    const [holder, last] = this.#holder(name, path);
    if (Array.isArray(holder)) holder[Number(last)] = structuredClone(value) as Draft;
    else holder[last] = structuredClone(value) as Draft;
  }

  /** Takes away a member that is there. */
  drop(name: string, path: string): void {
    const [holder, last] = this.#holder(name, path);
    if (Array.isArray(holder)) holder.splice(Number(last), 1);
    else if (holder[last] === undefined) throw new Error(`${name} has no ${path}`);
    else delete holder[last];
  }

  /** Adds to an array. */
  push(name: string, path: string, value: Json, at?: number): void {
    const list = this.get(name, path) as Draft;
    if (!Array.isArray(list)) throw new Error(`${name} has no array at ${path}`);
    list.splice(at ?? list.length, 0, structuredClone(value) as Draft);
  }

  /** Takes exchanges out. */
  without(...names: readonly string[]): void {
    for (const name of names) {
      this.#known(name);
      this.#exchanges.delete(name);
    }
  }

  /** Puts an exchange in, after another one. */
  insert(after: string, name: string, exchange: ExampleExchange): void {
    this.#known(after);
    if (this.has(name)) throw new Error(`there is an exchange ${name} already`);
    const entries = [...this.#exchanges];
    const index = entries.findIndex(([each]) => each === after);
    entries.splice(index + 1, 0, [name, structuredClone(exchange) as unknown as Draft]);
    this.#exchanges.clear();
    for (const [each, draft] of entries) this.#exchanges.set(each, draft);
  }

  /** The same exchange once more, right after it. */
  copy(name: string, again: string): void {
    this.insert(name, again, this.#known(name) as unknown as ExampleExchange);
  }

  /** Answers a call with an error instead. */
  fail(name: string, error: Json): void {
    const response = this.#known(name) as unknown as { response: { body?: unknown } };
    const id = this.get(name, 'request/body/id');
    response.response = {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { jsonrpc: '2.0', id, error },
    } as never;
  }

  #known(name: string): Draft {
    const draft = this.#exchanges.get(name);
    if (draft === undefined) throw new Absent(name);
    return draft;
  }

  #holder(name: string, path: string): [Draft[] | { [name: string]: Draft }, string] {
    const steps = stepsOf(path);
    const last = steps.pop() ?? '';
    let holder: Draft | undefined = this.#known(name);
    for (const step of steps) {
      if (typeof holder !== 'object' || holder === null) throw new Error(`${name} has no ${path}`);
      holder = Array.isArray(holder) ? holder[Number(step)] : holder[step];
    }
    if (typeof holder !== 'object' || holder === null) throw new Error(`${name} has no ${path}`);
    return [holder, last];
  }
}

/** Thrown where a mutation needs an exchange that the dialect does not have. */
export class Absent extends Error {}

/** The episodes that a dialect has, in JSON-RPC of 1.0, and translated. */
export interface CleanSession {
  readonly target: Target;
  readonly written: ReadonlyMap<string, ExampleExchange>;
  readonly translated: ReadonlyMap<string, ExampleExchange>;
  /** The exchanges that no binding changes. */
  readonly asTheyAre: ReadonlySet<string>;
  /** By exchange, the number of its episode. */
  readonly episodeOf: ReadonlyMap<string, number>;
}

const isWritten = ({ version, binding }: Target): boolean => version === '1.0' && binding === 'JSONRPC';

/**
 * Translates named exchanges; undefined where one of them cannot be said. What `known` has already of exchanges that
 * are the same stays as it is there: but for 0.1, each exchange is translated by itself.
 */
export function translateAll(
  exchanges: ReadonlyMap<string, ExampleExchange>,
  target: Target,
  known?: Pick<CleanSession, 'written' | 'translated' | 'asTheyAre'>,
): ReadonlyMap<string, ExampleExchange> | undefined {
  if (isWritten(target)) return exchanges;
  const own = [...exchanges].filter(([name]) => known?.asTheyAre.has(name) !== true);
  const changed = own.filter(
    ([name, exchange]) => target.version === '0.1' || !isDeepStrictEqual(known?.written.get(name), exchange),
  );
  const example: Example = changed.map(([, exchange]) => exchange);
  const translated = translate([...introduction, ...example], target)?.slice(introduction.length);
  if (translated === undefined) return undefined;
  // Nothing else is put in front: the card of every agent comes before.
  if (translated.length !== changed.length) throw new Error('a translation of another length');
  const made = new Map(changed.map(([name], index) => [name, translated[index]]));
  return new Map(
    [...exchanges.keys()].map((name): [string, ExampleExchange] => {
      const plain = known?.asTheyAre.has(name) === true ? exchanges.get(name) : undefined;
      const exchange = plain ?? made.get(name) ?? known?.translated.get(name);
      if (exchange === undefined) throw new Error(`${name} got lost`);
      return [name, exchange];
    }),
  );
}

/** What every translation begins with, so that it is known what agents speak, and over which binding. */
const introduction: Example = [
  ...['agent', 'mute agent', 'shy agent', 'gateway', 'tenant agent'].map((to) => getCard(v1.card(), { to })),
  rpc({ method: 'GetTask', params: { id: 'task-0' }, result: v1.task('WORKING', { id: 'task-0' }) }),
];

export function cleanSession(episodes: readonly Episode[], target: Target): CleanSession {
  const written = new Map<string, ExampleExchange>();
  const translated = new Map<string, ExampleExchange>();
  const episodeOf = new Map<string, number>();
  const asTheyAre = new Set<string>();
  for (const [number, { only, asItIs, exchanges }] of episodes.entries()) {
    if (only !== undefined && !only(target)) continue;
    const entries = new Map(Object.entries(exchanges));
    const said = asItIs === true ? entries : translateAll(entries, target);
    if (said === undefined) continue;
    for (const [name, exchange] of entries) {
      written.set(name, exchange);
      translated.set(name, said.get(name) ?? exchange);
      episodeOf.set(name, number);
      if (asItIs === true) asTheyAre.add(name);
    }
  }
  return { target, written, translated, asTheyAre, episodeOf };
}

/** Names that exchanges share where they are about the same. */
const names = /\b(?:task|ctx|token|cred|config|page|m)-[\w-]+|hook\.example/g;

/**
 * What a change can bear on: the cards, the episodes that it is in, and those that speak of the same tasks, contexts,
 * messages or secrets. The rest of the session is another conversation.
 */
export function around(
  changed: ReadonlyMap<string, ExampleExchange>,
  before: ReadonlyMap<string, ExampleExchange>,
  { episodeOf }: CleanSession,
): ReadonlyMap<string, ExampleExchange> {
  const touched = [...new Set([...changed.keys(), ...before.keys()])].filter(
    (name) => !isDeepStrictEqual(changed.get(name), before.get(name)),
  );
  const textOf = (name: string): string => JSON.stringify([changed.get(name) ?? '', before.get(name) ?? '']);
  const shared = new Set(touched.flatMap((name) => textOf(name).match(names) ?? []));
  const near = new Set<number | undefined>(touched.map((name) => episodeOf.get(name)));
  // Twice: an episode that is near may itself need the one that made its task.
  for (const _round of [1, 2]) {
    for (const name of changed.keys())
      if ((textOf(name).match(names) ?? []).some((each) => shared.has(each))) near.add(episodeOf.get(name));
    for (const name of changed.keys())
      if (near.has(episodeOf.get(name))) for (const each of textOf(name).match(names) ?? []) shared.add(each);
  }
  return new Map(
    [...changed].filter(([name]) => touched.includes(name) || isCard(name) || near.has(episodeOf.get(name))),
  );
}

const isCard = (name: string): boolean => /card$|^extended$/i.test(name);
