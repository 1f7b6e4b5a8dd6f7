import { z } from 'zod';
import { plainMessage } from '../zod-message.ts';
import { closest } from './closest.ts';
import { expected, issueText } from './issue-text.ts';
import { type KeyPath, type Positions, pathText } from './positions.ts';
import { maxProblems } from './yaml.ts';

/** What zod found wrong with a value, one line each. `prefix` is where the value lies in the file. */
export function problemsOf(
  error: z.ZodError,
  schema: z.ZodType,
  positions: Positions,
  prefix: KeyPath = [],
): readonly string[] {
  return problemsOfIssues(error.issues, schema, positions, prefix);
}

function problemsOfIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  positions: Positions,
  prefix: KeyPath,
): readonly string[] {
  return firstOfEach(issues).flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path);
      return issue.keys
        .slice(0, maxProblems)
        .map((key) => line(positions.key([...path, key]), [...path, key], unknownKey(key, known)));
    }
    if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
      return [line(positions.value(path), path, `missing; expected ${expected(issue)}`)];
    if (issue.code === 'invalid_key')
      return issue.issues.map(({ message }) => line(positions.key(path), path, plainMessage(message)));
    if (issue.code === 'invalid_union') {
      const within = deepest(issue);
      if (within !== undefined) return problemsOfIssues([within], schema, positions, path);
    }
    return [line(positions.value(path), path, unquoted(issue, path, positions) ?? issueText(issue))];
  });
}

/** What is wrong with a value first: that it is empty says why it is no URI, too. Each unknown key is one of its own. */
function firstOfEach(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const told = new Set<string>();
  return issues
    .filter(({ code, path }) => {
      const place = JSON.stringify([code === 'unrecognized_keys', path]);
      return !told.has(place) && told.add(place);
    })
    .slice(0, maxProblems);
}

/** YAML takes `1.0` for the number 1, and `no` only looks like a word: what is text has to be written as text. */
function unquoted(issue: z.core.$ZodIssue, path: KeyPath, positions: Positions): string | undefined {
  const { input } = issue;
  if (typeof input !== 'number' && typeof input !== 'boolean') return undefined;
  const written = positions.written(path) ?? String(input);
  const meant =
    issue.code === 'invalid_value'
      ? issue.values.find((value) => value === written || Number(value) === input)
      : issue.code === 'invalid_type' && issue.expected === 'string'
        ? written
        : undefined;
  if (typeof meant !== 'string') return undefined;
  return `${written} is a ${typeof input} in YAML; write it in quotes: "${meant}"`;
}

export function line(where: string, path: KeyPath, problem: string): string {
  return `${where}: ${pathText(path) || 'the file'}: ${problem}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = closest(key, known);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return known.length > 0 ? `unknown key${hint}; known here: ${known.join(', ')}` : 'unknown key';
}

function keysAt(schema: z.ZodType, path: KeyPath): readonly string[] {
  let current: unknown = schema;
  for (const step of path) {
    current = unwrapped(current);
    if (current instanceof z.ZodObject) current = current.shape[String(step)];
    else if (current instanceof z.ZodArray) current = current.element;
    else if (current instanceof z.ZodRecord) current = current.valueType;
    else return [];
  }
  current = unwrapped(current);
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema;
}

/** Of a value that may have several forms: what is wrong inside, where it has one of them from outside. */
function deepest({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue | undefined {
  return errors.flat().find(({ path }) => path.length > 0);
}
