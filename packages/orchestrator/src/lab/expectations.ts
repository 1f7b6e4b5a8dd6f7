import type { ExpectedFinding } from '@plugfest/model';
import { PlugfestError } from '@plugfest/model';
import type { ZodType } from 'zod';
import { problemsOf } from './problems.ts';
import { baselineFile, type ExpectedFindingEntry, expectationsFile } from './schema.ts';
import { inOrder, readYaml } from './yaml.ts';

const labHint =
  'Give a lab file whose `expect` lists findings, each with its reason, such as labs/demo.yaml.';
const baselineHint =
  'Give a file with a list of `findings`, each with its reason; `plugfest verify --format baseline` writes one to fill in.';

/**
 * What a lab file expects, whatever else it holds: agents are not looked at, so their environment need not be there.
 * @throws PlugfestError PLUGFEST_EXPECTATIONS with a line for each problem found
 */
export function parseExpectedFindings(text: string, file: string): readonly ExpectedFinding[] {
  return findingsOf(parse(expectationsFile, text, file, labHint).expect.findings);
}

/**
 * The findings that a baseline names.
 * @throws PlugfestError PLUGFEST_EXPECTATIONS with a line for each problem found
 */
export function parseBaseline(text: string, file: string): readonly ExpectedFinding[] {
  return findingsOf(parse(baselineFile, text, file, baselineHint).findings);
}

function parse<T>(schema: ZodType<T>, text: string, file: string, hint: string): T {
  const refuse = (problems: readonly string[]): PlugfestError =>
    new PlugfestError('PLUGFEST_EXPECTATIONS', inOrder(problems), { hint });
  const { value, positions } = readYaml(text, file, refuse);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw refuse(problemsOf(parsed.error, schema, positions));
  return parsed.data;
}

export function findingsOf(entries: readonly ExpectedFindingEntry[] = []): readonly ExpectedFinding[] {
  return entries.map(({ rule, agent, party, scenario, sometimes, reason }) => ({
    rule,
    reason,
    ...(agent === undefined ? {} : { agent }),
    ...(party === undefined ? {} : { party }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(sometimes === true ? { sometimes } : {}),
  }));
}
