import { isJsonObject, type JsonObject, PlugfestError } from '@plugfest/model';
import { z } from 'zod';
import { closest } from './closest.ts';
import type { KeyPath, Positions } from './positions.ts';
import { line, problemsOf } from './problems.ts';
import { inOrder, readYaml } from './yaml.ts';

/** Most faults of a file. */
export const maxFaults = 256;

/** By the value of `fault`: what such an entry may hold. Which kinds there are, the proxy knows. */
export type FaultKinds = ReadonlyMap<string, { readonly schema: z.ZodType }>;

export interface ReadFaults {
  readonly faults: readonly JsonObject[];
  readonly problems: readonly string[];
}

/** Checks a list of faults. `prefix` is where it lies in the file. */
export function readFaults(
  values: readonly unknown[],
  prefix: KeyPath,
  positions: Positions,
  kinds: FaultKinds,
): ReadFaults {
  const faults: JsonObject[] = [];
  const problems: string[] = [];
  const ids = new Set<unknown>();
  for (const [index, value] of values.entries()) {
    const path = [...prefix, index];
    const name = isJsonObject(value) ? value.fault : undefined;
    const kind = typeof name === 'string' ? kinds.get(name) : undefined;
    if (!isJsonObject(value) || kind === undefined) {
      const where = name === undefined ? path : [...path, 'fault'];
      const meant = typeof name === 'string' ? closest(name, [...kinds.keys()]) : undefined;
      const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
      const problem = `a fault is one of ${[...kinds.keys()].join(', ')}${hint}`;
      problems.push(line(positions.value(where), where, problem));
      continue;
    }
    const parsed = kind.schema.safeParse(value, { reportInput: true });
    if (!parsed.success) problems.push(...problemsOf(parsed.error, kind.schema, positions, path));
    else if (value.id !== undefined && ids.has(value.id))
      problems.push(line(positions.value([...path, 'id']), [...path, 'id'], 'another fault has this id'));
    else faults.push(value);
    ids.add(value.id);
  }
  return { faults, problems };
}

const faultsFile = z.strictObject({
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .optional()
    .describe('Of all that is drawn: the same seed and the same traffic give the same faults. Default 0.'),
  faults: z.array(z.unknown()).max(maxFaults).describe('What is played, in this order.'),
});

export interface FaultsFile {
  readonly seed: number;
  readonly faults: readonly JsonObject[];
}

/** Reads a file of faults. @throws PlugfestError PLUGFEST_FAULT_INVALID with a line for each problem found */
export function parseFaults(text: string, file: string, kinds: FaultKinds): FaultsFile {
  const refuse = (problems: readonly string[]): PlugfestError =>
    new PlugfestError('PLUGFEST_FAULT_INVALID', inOrder(problems), {
      hint: 'docs/faults.md has every fault with its parameters.',
    });
  const { value, positions } = readYaml(text, file, refuse);
  const parsed = faultsFile.safeParse(value, { reportInput: true });
  if (!parsed.success) throw refuse(problemsOf(parsed.error, faultsFile, positions));
  const { faults, problems } = readFaults(parsed.data.faults, ['faults'], positions, kinds);
  if (problems.length > 0) throw refuse(problems);
  return { seed: parsed.data.seed ?? 0, faults };
}

/** One entry, as a schema for editors. */
export function faultEntry(kinds: FaultKinds): z.ZodType {
  return kinds.size === 0 ? z.never() : z.union([...kinds.values()].map(({ schema }) => schema));
}

/** JSON Schema (2020-12) of a file of faults, for editors. */
export function faultsJsonSchema(kinds: FaultKinds): Record<string, unknown> {
  const published = z.strictObject({
    ...faultsFile.shape,
    faults: z.array(faultEntry(kinds)).max(maxFaults),
  });
  return { ...z.toJSONSchema(published), title: 'Plugfest faults' };
}
