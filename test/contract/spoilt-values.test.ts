import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { Json } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failedRules, judgeTraffic } from './captured-traffic.ts';

const book = await loadRulebook();
const examples = book.rules.flatMap(({ examples: { good, bad } }) => [
  ...good,
  ...bad.map(({ example }) => example),
]);

/** Values that a serialiser of another type, version or language would write in a member's place. */
const wrong: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, 0, -1, 1.5, 1e300, '', 'x', [], {}, [null], [[]], [{}], { '': null }),
  fc.constantFrom<Json[]>('\ud800', '__proto__', 'https://[::', 'urn:x', '2026-13-01', 'TASK_STATE_WORKING'),
  fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json),
);

/** Every value in a JSON document, by the way to it. */
function* waysIn(
  value: Json,
  way: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  yield way;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    yield* waysIn(member as Json, [...way, Array.isArray(value) ? Number(name) : name]);
}

function replaced(value: Json, [name, ...rest]: readonly (string | number)[], by: Json): Json {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === name ? replaced(item, rest, by) : item));
  const object = value as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) => [key, key === name ? replaced(member, rest, by) : member]),
  );
}

it('no value in any place of a message makes a rule fail by itself', () => {
  fc.assert(
    fc.property(fc.constantFrom(...examples), fc.nat(), fc.nat(), wrong, (example, line, place, value) => {
      const lines = JSON.parse(JSON.stringify(example)) as {
        request?: { body?: Json };
        response?: { body?: Json; sse?: { data?: Json }[] };
      }[];
      const at = lines[line % lines.length];
      const holders: { get: Json; set: (value: Json) => void }[] = [];
      for (const part of [at?.request, at?.response])
        if (part?.body !== undefined)
          holders.push({ get: part.body, set: (body) => Object.assign(part, { body }) });
      for (const event of at?.response?.sse ?? [])
        if (event.data !== undefined)
          holders.push({ get: event.data, set: (data) => Object.assign(event, { data }) });
      const holder = holders[place % Math.max(1, holders.length)];
      if (holder === undefined) return;
      const ways = [...waysIn(holder.get)];
      holder.set(replaced(holder.get, ways[place % ways.length] ?? [], value));
      expect(failedRules(judgeTraffic(book, capturedFromNdjson(lines)))).toEqual([]);
    }),
    { numRuns: 1500, seed: 6 },
  );
}, 20_000);
