import type { CaptureEvent, ExchangeId, Participant, Side } from '@plugfest/model';
import { cellId, edgeId, exchangeId, PlugfestError } from '@plugfest/model';
import type { ImportSink } from '../formats/format.ts';
import type { ForeignBody, ForeignExchange } from './exchange.ts';

/** By name, what participants are, where a file says so. */
export type ParticipantKinds = ReadonlyMap<string, Participant['kind']>;

type Timed = CaptureEvent & { readonly atNs: number };

/** Distance of events that a source gives one time: their order is kept. */
const stepNs = 1000;

/** What a date can be at most, in milliseconds before or after 1970 (ECMA-262 section 21.4.1.1). */
const latestMs = 8.64e15;
const isDate = (ms: number): boolean => Math.abs(ms) <= latestMs;

function hasDates({ startedMs, endedMs, body, response }: ForeignExchange): boolean {
  const bodies = [body, response?.body ?? 'lost'].filter((each) => each !== 'lost');
  const times = bodies.flatMap(({ chunks }) => chunks.map(({ atMs }) => atMs ?? startedMs));
  return [startedMs, endedMs, response?.atMs ?? startedMs].every(isDate) && times.every(isDate);
}

/**
 * Refuses a file with times that no clock shows: a capture with such times could not be read again.
 * @throws PlugfestError PLUGFEST_IMPORT_FORMAT
 */
export function requireDates(exchanges: readonly ForeignExchange[], file: string): void {
  const index = exchanges.findIndex((exchange) => !hasDates(exchange));
  if (index === -1) return;
  throw new PlugfestError(
    'PLUGFEST_IMPORT_FORMAT',
    `${file}: exchange ${index + 1} has a time that is no date`,
    {
      hint: 'Correct or remove this entry; times are at most 8.64e15 ms from 1970.',
    },
  );
}

/**
 * Puts exchanges of another tool into a sink as the events that a proxy would have recorded, in the order of their
 * times: exchanges that overlapped overlap here.
 */
export async function recordForeign(
  exchanges: readonly ForeignExchange[],
  sink: ImportSink,
  {
    kinds = new Map(),
    idPrefix = '',
  }: { readonly kinds?: ParticipantKinds; readonly idPrefix?: string | undefined } = {},
): Promise<void> {
  if (exchanges.length === 0) return;
  const startMs = exchanges.reduce((first, { startedMs }) => Math.min(first, startedMs), Infinity);
  sink.setStart?.(startMs);
  for (const event of parties(exchanges, kinds)) sink.record({ ...event, atNs: 0 });
  const order = [...exchanges].sort((a, b) => a.startedMs - b.startedMs);
  const events = order.flatMap((exchange, index) =>
    eventsOf(exchange, exchangeId(`${idPrefix}x${index + 1}`), startMs),
  );
  // Sorting is stable, so events of one time stay in order.
  events.sort((a, b) => a.atNs - b.atNs);
  for (const [index, event] of events.entries()) {
    sink.record(event);
    // What a slow disk cannot take would be dropped as payload; an import can wait instead.
    if (index % 1024 === 1023) await sink.flush();
  }
}

const edgeOf = ({ from, to }: ForeignExchange): string => `${from} -> ${to}`;

function* parties(exchanges: readonly ForeignExchange[], kinds: ParticipantKinds): Generator<CaptureEvent> {
  const seen = new Set<string>();
  for (const exchange of exchanges) {
    for (const name of [exchange.from, exchange.to]) {
      if (seen.has(name)) continue;
      seen.add(name);
      yield { kind: 'participant', participant: { name, kind: kinds.get(name) ?? 'unknown' } };
    }
    const id = edgeOf(exchange);
    if (seen.has(id)) continue;
    seen.add(id);
    const { from: caller, to: callee, kind } = exchange;
    yield { kind: 'edge', edge: { id: edgeId(id), caller, callee, kind, mode: 'import' } };
  }
}

function eventsOf(exchange: ForeignExchange, id: ExchangeId, startMs: number): readonly Timed[] {
  const events: Timed[] = [];
  let lastNs = -stepNs;
  const put = (event: CaptureEvent, atMs: number): void => {
    lastNs = Math.max(Math.round((atMs - startMs) * 1e6), lastNs + stepNs);
    events.push({ ...event, atNs: lastNs } as Timed);
  };
  const body = (side: Side, given: ForeignBody, atMs: number, ended: boolean): void => {
    if (given === 'lost') return;
    for (const chunk of given.chunks)
      put({ kind: 'chunk', exchange: id, side, bytes: chunk.bytes }, chunk.atMs ?? atMs);
    if (ended) put({ kind: 'body-end', exchange: id, side }, atMs);
  };
  const { method, target, httpVersion, headers, changes, lost, response, startedMs, end, endedMs } = exchange;
  const kept = lost.filter((each) => each !== 'times');
  const of = (side: Side) => changes.filter((change) => change.side === side);
  put(
    {
      kind: 'request-head',
      exchange: id,
      edge: edgeId(edgeOf(exchange)),
      ...{ method, target, httpVersion, headers },
      ...(of('request').length === 0 ? {} : { changes: of('request') }),
      ...(lost.includes('times') ? { timesSynthetic: true } : {}),
      ...(kept.length === 0 ? {} : { lost: kept }),
      ...(exchange.cell === undefined ? {} : { cell: cellId(exchange.cell) }),
      ...(exchange.purpose === undefined ? {} : { purpose: exchange.purpose }),
    },
    startedMs,
  );
  // What a client says after a 101 is said after it, and both sides speak at once.
  const switched = response?.status === 101;
  if (!switched) body('request', exchange.body, startedMs, true);
  if (response !== undefined) {
    const { status, reason, atMs, trailers } = response;
    put(
      {
        kind: 'response-head',
        exchange: id,
        ...{ status, httpVersion: response.httpVersion, headers: response.headers },
        ...(reason === undefined ? {} : { reason }),
        ...(of('response').length === 0 ? {} : { changes: of('response') }),
      },
      atMs,
    );
    if (switched) {
      const of = (side: Side, given: ForeignBody, usualMs: number) =>
        given === 'lost'
          ? []
          : given.chunks.map(({ bytes, atMs: at = usualMs }) => ({ side, bytes, atMs: at }));
      const both = [...of('request', exchange.body, atMs), ...of('response', response.body, endedMs)];
      for (const { side, bytes, atMs: at } of both.sort((a, b) => a.atMs - b.atMs))
        put({ kind: 'chunk', exchange: id, side, bytes }, at);
      if (end === 'complete')
        for (const side of ['request', 'response'] as const)
          put({ kind: 'body-end', exchange: id, side }, endedMs);
    } else body('response', response.body, endedMs, end === 'complete');
    if (trailers !== undefined && trailers.length > 0)
      put({ kind: 'trailers', exchange: id, side: 'response', headers: trailers }, endedMs);
  }
  if (exchange.note !== undefined)
    put({ kind: 'note', topic: 'import', text: exchange.note, exchange: id }, endedMs);
  if (end !== 'open') put({ kind: 'end', exchange: id, end }, endedMs);
  return events;
}
