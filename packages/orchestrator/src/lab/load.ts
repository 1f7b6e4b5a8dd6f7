import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ExpectedFinding } from '@plugfest/model';
import { isPlugfestError, PlugfestError } from '@plugfest/model';
import { scenarioIds } from '../scenario/discover.ts';
import { parseBaseline, parseExpectedFindings } from './expectations.ts';
import { type FaultKinds, type FaultsFile, parseFaults } from './faults.ts';
import type { Lab } from './lab.ts';
import { type ParseLabOptions, parseLab } from './parse.ts';
import { maxLabFileBytes } from './schema.ts';
import type { Environment } from './substitute.ts';

/**
 * Reads and checks a lab file; without kinds of faults it may have none, without kinds of agents or ids of rules these
 * are not looked at. @throws PlugfestError PLUGFEST_LAB_NOT_FOUND, PLUGFEST_LAB_INVALID
 */
export async function loadLab(
  file: string,
  env: Environment,
  known: Pick<ParseLabOptions, 'kinds' | 'faultKinds' | 'ruleIds'> = {},
): Promise<Lab> {
  return parseLab(await read(file), { file, env, scenarioIds: await scenarioIds(), ...known });
}

/** Reads and checks a file of faults. @throws PlugfestError PLUGFEST_LAB_NOT_FOUND, PLUGFEST_FAULT_INVALID */
export async function loadFaults(file: string, kinds: FaultKinds): Promise<FaultsFile> {
  return parseFaults(await read(file), file, kinds);
}

/**
 * Reads only which findings a lab file expects; its agents need not be there. @throws PlugfestError
 * PLUGFEST_LAB_NOT_FOUND, PLUGFEST_EXPECTATIONS
 */
export async function expectedFindings(file: string): Promise<readonly ExpectedFinding[]> {
  return parseExpectedFindings(await read(file), file);
}

/**
 * Reads the findings that a baseline names. @throws PlugfestError PLUGFEST_LAB_NOT_FOUND, PLUGFEST_EXPECTATIONS
 */
export async function baselineFindings(file: string): Promise<readonly ExpectedFinding[]> {
  return parseBaseline(await read(file), file);
}

async function read(file: string): Promise<string> {
  try {
    // Without waiting: a pipe would be opened only when somebody writes to it, which may be never.
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = await handle.stat();
    // What a directory is, reading it says.
    if (!found.isFile() && !found.isDirectory()) throw noFile(file);
    const bytes = Buffer.alloc(maxLabFileBytes + 1);
    let length = 0;
    for (;;) {
      // Never more than that, whatever the file system says of its size.
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      length += bytesRead;
      if (length > maxLabFileBytes) throw tooLarge(file);
      if (bytesRead === 0) return bytes.toString('utf8', 0, length);
    }
  } catch (error) {
    if (isPlugfestError(error)) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new PlugfestError('PLUGFEST_LAB_NOT_FOUND', `${file}: ${why[code] ?? `cannot be read (${code})`}`, {
      hint: 'Give the path of a lab file, such as labs/demo.yaml, or of a baseline.',
      cause: error,
    });
  }
}

const why: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read (no permission)',
};

function noFile(file: string): PlugfestError {
  return new PlugfestError(
    'PLUGFEST_LAB_NOT_FOUND',
    `${file}: is a pipe, socket or device, and no regular file`,
    {
      hint: 'Write what comes out of it to a file, and give the path of that.',
    },
  );
}

function tooLarge(file: string): PlugfestError {
  return new PlugfestError(
    'PLUGFEST_LAB_INVALID',
    `${file}: larger than the ${maxLabFileBytes} bytes that a lab file or a baseline may have`,
    {
      hint: 'Give the path of a lab file, such as labs/demo.yaml, or of a baseline.',
    },
  );
}
