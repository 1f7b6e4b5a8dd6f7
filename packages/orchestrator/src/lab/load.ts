import { readFile } from 'node:fs/promises';
import { PlugfestError } from '@plugfest/model';
import { scenarioIds } from '../scenario/discover.ts';
import type { Lab } from './lab.ts';
import { parseLab } from './parse.ts';
import type { Environment } from './substitute.ts';

/** Reads and checks a lab file. @throws PlugfestError PLUGFEST_LAB_NOT_FOUND, PLUGFEST_LAB_INVALID */
export async function loadLab(file: string, env: Environment): Promise<Lab> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new PlugfestError('PLUGFEST_LAB_NOT_FOUND', `${file}: cannot be read (${code})`, {
      hint: 'Give the path of a lab file, such as labs/two-agents.yaml.',
      cause: error,
    });
  }
  return parseLab(text, { file, env, scenarioIds: await scenarioIds() });
}
