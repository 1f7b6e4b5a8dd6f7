import type {
  Change,
  EndKind,
  JsonObject,
  Loss,
  ParticipantKind,
  Purpose,
  RawHeaders,
} from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import type { ForeignBody } from './exchange.ts';

/** What HAR has no place for, in the member `_plugfest` of an entry that Plugfest wrote. */
export interface HarExtension {
  readonly from: string;
  readonly to: string;
  readonly kind: 'a2a' | 'webhook';
  readonly purpose: Purpose;
  readonly cell: string | undefined;
  /** Milliseconds since 1970, with fractions. */
  readonly atMs: number;
  readonly lastsMs: number;
  readonly target: string;
  readonly end: EndKind;
  readonly lost: readonly (Loss | 'times')[];
  readonly changes: readonly Change[];
  readonly request: ForeignBody | undefined;
  readonly response: ForeignBody | undefined;
  readonly trailers: RawHeaders | undefined;
}

/** A body in pieces: `[milliseconds after the start of the exchange, base64]` each. */
export type HarChunks = readonly (readonly [afterMs: number, base64: string])[];

const ends: ReadonlySet<unknown> = new Set<EndKind>([
  'complete',
  'client-abort',
  'upstream-abort',
  'reset',
  'timeout',
  'fault',
  'shutdown',
  'open',
]);

const isLoss = (value: unknown): value is Loss | 'times' =>
  value === 'times' || value === 'chunk-times' || value === 'trailers';

/** Reads it; undefined for entries of other tools. `fail` is called for what is malformed, and throws. */
export function harExtension(
  entry: JsonObject,
  fail: (place: string, what: string) => never,
): HarExtension | undefined {
  const own = entry._plugfest;
  if (own === undefined) return undefined;
  if (!isJsonObject(own)) return fail('_plugfest', 'must be an object');
  const text = (name: string): string => {
    const value = own[name];
    return typeof value === 'string' && value !== '' ? value : fail(`_plugfest.${name}`, 'must be a string');
  };
  const number = (name: string): number => {
    const value = own[name];
    return typeof value === 'number' ? value : fail(`_plugfest.${name}`, 'must be a number');
  };
  const list = (name: string): readonly unknown[] => {
    const value = own[name] ?? [];
    return Array.isArray(value) ? value : fail(`_plugfest.${name}`, 'must be an array');
  };
  const atMs = number('at');
  const body = (name: string): ForeignBody | undefined =>
    own[name] === 'lost'
      ? 'lost'
      : own[name] === undefined
        ? undefined
        : {
            chunks: list(name).map((each, index) => {
              const [afterMs, base64] = Array.isArray(each) ? each : [];
              if (typeof afterMs !== 'number' || typeof base64 !== 'string')
                return fail(`_plugfest.${name}[${index}]`, 'must be [milliseconds, base64]');
              return { bytes: Buffer.from(base64, 'base64'), atMs: atMs + afterMs };
            }),
          };
  const kind = text('kind');
  const end = text('end');
  if (kind !== 'a2a' && kind !== 'webhook') return fail('_plugfest.kind', 'must be "a2a" or "webhook"');
  if (!ends.has(end)) return fail('_plugfest.end', 'must be how an exchange can end');
  const trailers = list('trailers').map((each) =>
    typeof each === 'string' ? each : fail('_plugfest.trailers', 'must be an array of strings'),
  );
  return {
    ...{ from: text('from'), to: text('to'), kind, atMs, lastsMs: number('lasts'), target: text('target') },
    purpose: own.purpose === 'probe' ? 'probe' : 'normal',
    cell: own.cell === undefined ? undefined : text('cell'),
    end: end as EndKind,
    lost: list('lost').filter(isLoss),
    changes: list('changes').map((each, index) =>
      isChange(each) ? each : fail(`_plugfest.changes[${index}]`, 'must be a change'),
    ),
    request: body('request'),
    response: body('response'),
    trailers: own.trailers === undefined ? undefined : trailers,
  };
}

const places: readonly unknown[] = [
  'target',
  'header',
  'body',
  'trailer',
  'time',
] satisfies readonly Change['place'][];

function isChange(value: unknown): value is Change {
  if (!isJsonObject(value)) return false;
  const { side, place, reason } = value;
  const texts = [value.where, value.before, value.after];
  return (
    (side === 'request' || side === 'response') &&
    places.includes(place) &&
    typeof reason === 'string' &&
    texts.every((each) => each === undefined || typeof each === 'string')
  );
}

const kinds: ReadonlySet<unknown> = new Set<ParticipantKind>([
  ...(['agent', 'harness', 'reference', 'gateway', 'unknown'] as const),
]);

/** What the participants of a file of Plugfest are; empty for those of other tools. */
export function harParticipants(log: JsonObject): ReadonlyMap<string, ParticipantKind> {
  const list = isJsonObject(log._plugfest) ? log._plugfest.participants : undefined;
  const found = new Map<string, ParticipantKind>();
  for (const each of Array.isArray(list) ? list : [])
    if (isJsonObject(each) && typeof each.name === 'string' && kinds.has(each.kind))
      found.set(each.name, each.kind as ParticipantKind);
  return found;
}
