import type { Example } from '@plugfest/verifier/examples';
import { dialects } from '@plugfest/verifier/examples';
import { readCases } from '../contract/cases.ts';
import { episodes } from '../killmatrix/episodes/index.ts';
import { cleanSession } from '../killmatrix/session.ts';

/** The clean session of each dialect. */
export const sessions = (): readonly Example[] =>
  dialects.map((target) => [...cleanSession(episodes, target).translated.values()]);

/** The cases after public bug reports. */
export const cases = (): readonly Example[] =>
  ['cases.jsonl', 'more-cases.jsonl'].flatMap((file) =>
    readCases(file).map(({ exchange }) => exchange as unknown as Example),
  );

/** Traffic that no rule was written for. */
export const corpus = (): readonly Example[] => [...sessions(), ...cases()];
