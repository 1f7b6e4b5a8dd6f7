import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { CapturedExchange, Gap, Json } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { type Example, type ExampleExchange, timed } from '@plugfest/verifier/examples';
import { cuts, everywhere } from '../contract/losses.ts';

/** An example as it may have been recorded on another day. */
export interface Circumstances {
  readonly captured: readonly CapturedExchange[];
  readonly gaps?: readonly Gap[];
}

/** An example of which a part was lost. */
export function* lossesOf(example: Example): Generator<Circumstances> {
  const captured = capturedFromNdjson(example);
  yield { captured, gaps: everywhere(captured) };
  for (const cut of Object.values(cuts)) yield { captured: withLast(captured, (last) => halved(last, cut)) };
  yield { captured: withLast(captured, ({ response: _, ...last }) => ({ ...last, end: { kind: 'open' } })) };
}

/**
 * An example under other circumstances: cut off, with losses, by another caller, at other times, and with each value
 * spoilt. What is right there is tested in test/contract; here it only has to stay as it is.
 */
export function* circumstancesOf(example: Example): Generator<Circumstances> {
  yield* lossesOf(example);
  const recorded = capturedFromNdjson(example.map((each, i) => timed(each, i, seconds(i + 1)))).map(
    asRecorded,
  );
  yield { captured: recorded };
  yield { captured: recorded.map(endedLater) };
  for (const other of [...elsewhere(example), ...spoilt(example)])
    yield { captured: capturedFromNdjson(other) };
}

const withLast = <Element>(all: readonly Element[], change: (last: Element) => Element): readonly Element[] =>
  all.map((each, i) => (i === all.length - 1 ? change(each) : each));

function halved(exchange: CapturedExchange, cut: (typeof cuts)[string]): CapturedExchange {
  const { request, response } = exchange;
  return cut(exchange, Math.floor(Math.max(request.body.totalBytes, response?.body.totalBytes ?? 0) / 2));
}

/** By Plugfest itself, which takes the time of everything. */
const asRecorded = ({ timesSynthetic: _, ...exchange }: CapturedExchange): CapturedExchange => exchange;

function endedLater(exchange: CapturedExchange): CapturedExchange {
  const { end, request } = exchange;
  return { ...exchange, end: { ...end, atNs: (end.atNs ?? request.atNs) + 20e9 } };
}

/** Where exchanges have a time, they all need one: these replace what is there. */
function elsewhere(example: Example): readonly Example[] {
  const far = 1000;
  return [
    withLast(example, (last) => ({ ...last, from: `another ${last.from}` })),
    withLast(example, (last) => ({ ...last, to: `another ${last.to}` })),
    example.map((each, i) => timed(each, i * far, seconds(i * far + 1))),
    // Streams that are still open when the next exchange begins.
    example.map((each, i) => timed(each, i, seconds(i * 2 + 1))),
    // The newest first.
    example.map((each, i) =>
      timed(each, (example.length - i) * far, seconds((example.length - i) * far + 1)),
    ),
    [...example, ...example],
  ];
}

const seconds = (first: number): readonly number[] => Array.from({ length: 16 }, (_, i) => first + i * 2);

/** What stands in the place of a value, by turns; `undefined` takes it out. */
const spoils: readonly (Json | undefined)[] = [undefined, null, 7, '', [], {}];
/** Values of one exchange that are spoilt. */
const spoiltValues = 48;

function* spoilt(example: Example): Generator<Example> {
  for (const [i, exchange] of example.entries()) {
    let left = spoiltValues;
    for (const each of spoiltExchanges(exchange)) {
      if (left-- <= 0) break;
      yield example.map((other, j) => (i === j ? each : other));
    }
  }
}

function* spoiltExchanges(exchange: ExampleExchange): Generator<ExampleExchange> {
  // A message of gRPC has no place for what its definition does not allow.
  if ('grpc' in exchange) return;
  const { request, response } = exchange;
  let turn = 0;
  for (const body of spoiltValuesOf(request.body, () => turn++))
    yield { ...exchange, request: { ...request, body } };
  if (response === undefined) return;
  for (const body of spoiltValuesOf(response.body, () => turn++))
    yield { ...exchange, response: { ...response, body } };
  const events = response.sse ?? [];
  for (const [i, event] of events.entries()) {
    if (!('data' in event)) continue;
    for (const data of spoiltValuesOf(event.data, () => turn++)) {
      const sse = events.map((each, j) => (i === j ? { ...event, data } : each));
      yield { ...exchange, response: { ...response, sse } };
    }
  }
}

/** A value with each value inside of it spoilt in turn, the outermost first. */
function* spoiltValuesOf(value: Json | undefined, next: () => number): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  const members: readonly (readonly [string, Json])[] = Object.entries(value);
  for (const [name, member] of members) {
    const spoil = spoils[next() % spoils.length];
    yield withMember(value, name, spoil);
    for (const inner of spoiltValuesOf(member, next)) yield withMember(value, name, inner);
  }
}

function withMember(owner: Json, name: string, member: Json | undefined): Json {
  if (Array.isArray(owner))
    return owner.flatMap((each: Json, i) =>
      String(i) !== name ? [each] : member === undefined ? [] : [member],
    );
  if (!isJsonObject(owner)) return owner;
  const { [name]: _, ...others } = owner;
  return member === undefined ? others : { ...owner, [name]: member };
}
