import type { Example } from '@plugfest/verifier/examples';
import { dialects } from '@plugfest/verifier/examples';
import { readCases } from '../contract/cases.ts';
import { episodes } from '../killmatrix/episodes/index.ts';
import { cleanSession } from '../killmatrix/session.ts';

/** Traffic that no rule was written for: the clean session of each dialect, and the cases after public bug reports. */
export function corpus(): readonly Example[] {
  const sessions = dialects.map((target) => [...cleanSession(episodes, target).translated.values()]);
  const cases = ['cases.jsonl', 'more-cases.jsonl'].flatMap((file) =>
    readCases(file).map(({ exchange }) => exchange as unknown as Example),
  );
  return [...sessions, ...cases];
}
