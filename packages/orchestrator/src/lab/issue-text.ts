import type { z } from 'zod';
import { plainMessage } from '../zod-message.ts';
import { closest } from './closest.ts';

type Issue = z.core.$ZodIssue;

/** What is wrong with a value, in the words of a lab file, as the rest of a line that has begun. */
export function issueText(issue: Issue): string {
  return expectationOf(issue) ?? plainMessage(issue.message);
}

/** Beside what is expected: what was meant, or what is there in its place. Undefined where the schema has words of its own. */
function expectationOf(issue: Issue): string | undefined {
  if (!/^(?:Invalid (?:input|option)|Too (?:small|big))\b/.test(issue.message)) return undefined;
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
    case 'invalid_union':
      return `expected ${expected(issue)}${insteadOf(issue)}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return issue.origin === 'array' || issue.origin === 'string'
        ? `has more than ${issue.maximum} ${issue.origin === 'array' ? 'entries' : 'characters'}`
        : `more than ${issue.maximum}`;
    default:
      return undefined;
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'array' || origin === 'string')
    return Number(minimum) === 1 ? 'empty' : `shorter than ${minimum}`;
  return inclusive === false ? `not more than ${minimum}` : `less than ${minimum}`;
}

/** What may stand there, e.g. `a list` or `one of 1.0, 0.3`. */
export function expected(
  issue: z.core.$ZodIssueInvalidType | z.core.$ZodIssueInvalidValue | z.core.$ZodIssueInvalidUnion,
): string {
  switch (issue.code) {
    case 'invalid_type':
      return nameOfType[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.length === 1
        ? String(issue.values[0])
        : `one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap(expectedByChoice))].join(', or ');
  }
}

function expectedByChoice(issues: readonly Issue[]): readonly string[] {
  const [first] = issues;
  if (first === undefined || first.path.length > 0) return [];
  return first.code === 'invalid_type' || first.code === 'invalid_value' || first.code === 'invalid_union'
    ? [expected(first)]
    : [];
}

const nameOfType: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function insteadOf(issue: Issue): string {
  const { input } = issue;
  if (typeof input !== 'string' || issue.code === 'invalid_type') return `, not ${nameOf(input)}`;
  const meant = closest(input, valuesOf(issue));
  return meant === undefined ? `, not ${quoted(input)}` : ` (did you mean ${meant}?)`;
}

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

function valuesOf(issue: Issue): readonly string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_union' ? issue.errors.flatMap((issues) => issues.flatMap(valuesOf)) : [];
}

function nameOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'keys with values';
  return typeof value === 'string' ? quoted(value) : String(value);
}
