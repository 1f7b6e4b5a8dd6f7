import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

/*
 * Stands in for `vitest` where unit tests run against mutants, in Stryker's own process (stryker-runner.mjs): the tests
 * are collected when their file is loaded and can be run again and again. It has what those tests use.
 */

export interface CollectedTest {
  readonly name: string;
  run(): void | Promise<void>;
}

type Body = (...values: never[]) => void | Promise<void>;

const collected: CollectedTest[] = [];
const path: string[] = [];
const before: (() => void)[] = [];
const after: (() => void)[] = [];

/** Of a whole file; no test has them in a group. */
export const beforeEach = (body: () => void): number => before.push(body);
export const afterEach = (body: () => void): number => after.push(body);

/** The tests that were collected since the last time. */
export function takeTests(): readonly CollectedTest[] {
  const [first, last] = [before.splice(0), after.splice(0)];
  return collected.splice(0).map(({ name, run }) => ({
    name,
    run: async () => {
      for (const each of first) each();
      try {
        await run();
      } finally {
        for (const each of last) each();
      }
    },
  }));
}

const call = (body: Body, values: readonly unknown[]) =>
  (body as (...all: readonly unknown[]) => void)(...values);

function add(name: string, body: Body, values: readonly unknown[]): void {
  collected.push({ name: [...path, name].join(' › '), run: () => call(body, values) });
}

const each =
  (register: (name: string, body: Body, values: readonly unknown[]) => void) =>
  (rows: readonly unknown[]) =>
  (name: string, body: Body): void => {
    rows.forEach((row, i) => {
      register(`${name} ${i}`, body, Array.isArray(row) ? row : [row]);
    });
  };

function group(name: string, body: Body, values: readonly unknown[] = []): void {
  path.push(name);
  call(body, values);
  path.pop();
}

export const it = Object.assign((name: string, body: Body) => add(name, body, []), { each: each(add) });
export const describe = Object.assign((name: string, body: Body) => group(name, body), { each: each(group) });

/** Says of a value whether it is as expected, in place of a value to be equal to. */
class Pattern {
  readonly accepts: (value: unknown) => boolean;

  constructor(accepts: (value: unknown) => boolean) {
    this.accepts = accepts;
  }
}

const membersOf = (value: object): readonly string[] =>
  Object.keys(value).filter((name) => (value as Record<string, unknown>)[name] !== undefined);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/** Members that are undefined count as absent; `partial`: objects may have more than is expected. */
function matches(actual: unknown, expected: unknown, partial: boolean): boolean {
  if (expected instanceof Pattern) return expected.accepts(actual);
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((element, i) => matches(actual[i], element, partial))
    );
  if (!isPlain(expected)) return isDeepStrictEqual(actual, expected);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false;
  if (!partial && membersOf(actual).length !== membersOf(expected).length) return false;
  return Object.entries(expected).every(([name, member]) =>
    matches((actual as Record<string, unknown>)[name], member, partial),
  );
}

const has = (actual: unknown, name: string): boolean =>
  typeof actual === 'object' && actual !== null && name in actual;

function thrownBy(body: unknown): unknown {
  try {
    (body as () => void)();
  } catch (error) {
    return error;
  }
  return undefined;
}

const saysSo = (error: unknown, text: string | RegExp | Pattern | undefined): boolean => {
  if (error === undefined) return false;
  if (text instanceof Pattern) return text.accepts(error);
  const message = error instanceof Error ? error.message : String(error);
  return text === undefined || (typeof text === 'string' ? message.includes(text) : text.test(message));
};

const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

function expectations(actual: unknown, wanted: boolean) {
  const that = (holds: boolean): void => assert.equal(holds, wanted);
  return {
    toBe: (expected: unknown) => that(Object.is(actual, expected)),
    toEqual: (expected: unknown) => that(matches(actual, expected, false)),
    toMatchObject: (expected: unknown) => that(matches(actual, expected, true)),
    toBeUndefined: () => that(actual === undefined),
    toBeDefined: () => that(actual !== undefined),
    toBeNull: () => that(actual === null),
    toHaveLength: (length: number) => that((actual as { readonly length: number }).length === length),
    toHaveProperty: (name: string) => that(has(actual, name)),
    toContain: (part: never) => that((actual as string | readonly never[]).includes(part)),
    toContainEqual: (element: unknown) =>
      that((actual as readonly unknown[]).some((each) => matches(each, element, false))),
    toMatch: (text: RegExp) => that(text.test(String(actual))),
    toThrow: (text?: string | RegExp | Pattern) => that(saysSo(thrownBy(actual), text)),
    toBeGreaterThan: (limit: number) => that(number(actual) > limit),
    toBeGreaterThanOrEqual: (limit: number) => that(number(actual) >= limit),
    toBeLessThan: (limit: number) => that(number(actual) < limit),
    toBeLessThanOrEqual: (limit: number) => that(number(actual) <= limit),
  };
}

export const expect = Object.assign(
  (actual: unknown) => ({ ...expectations(actual, true), not: expectations(actual, false) }),
  {
    objectContaining: (expected: object) => new Pattern((value) => matches(value, expected, true)),
    stringContaining: (part: string) =>
      new Pattern((value) => typeof value === 'string' && value.includes(part)),
  },
);
