import type { ExpectedFinding } from '@plugfest/model';
import { PlugfestError } from '@plugfest/model';
import { problemsOf } from './problems.ts';
import { type ExpectationsFile, expectationsFile } from './schema.ts';
import { inOrder, readYaml } from './yaml.ts';

/**
 * What a lab file expects, whatever else it holds: agents are not looked at, so their environment need not be there.
 * @throws PlugfestError PLUGFEST_EXPECTATIONS with a line for each problem found
 */
export function parseExpectedFindings(text: string, file: string): readonly ExpectedFinding[] {
  const { value, positions } = readYaml(text, file, refuse);
  const parsed = expectationsFile.safeParse(value, { reportInput: true });
  if (!parsed.success) throw refuse(problemsOf(parsed.error, expectationsFile, positions));
  return findingsOf(parsed.data.expect);
}

export function findingsOf(expect: ExpectationsFile['expect'] | undefined): readonly ExpectedFinding[] {
  return (expect?.findings ?? []).map(({ rule, agent, party, scenario, reason }) => ({
    rule,
    reason,
    ...(agent === undefined ? {} : { agent }),
    ...(party === undefined ? {} : { party }),
    ...(scenario === undefined ? {} : { scenario }),
  }));
}

function refuse(problems: readonly string[]): PlugfestError {
  return new PlugfestError('PLUGFEST_EXPECTATIONS', inOrder(problems), {
    hint: 'Give a lab file whose `expect` lists findings, each with its reason, such as labs/demo.yaml.',
  });
}
