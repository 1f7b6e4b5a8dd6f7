import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openCaptureSource } from '@plugfest/capture';
import type { JsonObject, Verdict } from '@plugfest/model';
import { isJsonObject, PlugfestError } from '@plugfest/model';
import type { Rulebook } from '@plugfest/verifier';
import { Outline, verify } from '@plugfest/verifier';

/** One of the two things that are compared. */
export interface DiffSide {
  /** As the user named it. */
  readonly name: string;
  /** The verdict of when it was made, where there is one. */
  readonly stored: Verdict | undefined;
  /** The verdict by the rulebook of today, and the outline of its exchanges, where there is a capture. */
  readonly now: { readonly verdict: Verdict; readonly outline: Outline } | undefined;
}

const hint = 'Give a capture.sqlite, a verdict.json, or the folder of a run that holds them.';

/**
 * Reads a capture, a verdict, or a run's folder with either or both.
 * @throws PlugfestError PLUGFEST_CAPTURE_…, PLUGFEST_VERDICT_FORMAT
 */
export function readSide(name: string, path: string, book: Rulebook): DiffSide {
  if (!existsSync(path))
    throw new PlugfestError('PLUGFEST_CAPTURE_NOT_FOUND', `${name} does not exist`, { hint });
  if (statSync(path).isDirectory()) {
    const [capture, verdict] = [join(path, 'capture.sqlite'), join(path, 'verdict.json')];
    if (!existsSync(capture) && !existsSync(verdict))
      throw new PlugfestError(
        'PLUGFEST_CAPTURE_NOT_FOUND',
        `${name} holds neither a capture.sqlite nor a verdict.json`,
        { hint },
      );
    return {
      name,
      stored: existsSync(verdict) ? readVerdict(`${name}/verdict.json`, verdict) : undefined,
      now: existsSync(capture) ? judge(capture, book) : undefined,
    };
  }
  return path.endsWith('.json')
    ? { name, stored: readVerdict(name, path), now: undefined }
    : { name, stored: undefined, now: judge(path, book) };
}

function judge(capture: string, book: Rulebook): NonNullable<DiffSide['now']> {
  const source = openCaptureSource(capture);
  try {
    const outline = new Outline();
    const verdict = verify(source, book, { onExchange: (exchange) => outline.add(exchange) });
    return { verdict, outline };
  } finally {
    source.close();
  }
}

function readVerdict(name: string, path: string): Verdict {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new PlugfestError('PLUGFEST_VERDICT_FORMAT', `${name} is no JSON: ${problem}`, { hint, cause });
  }
  const problem = problemOf(value);
  if (problem !== undefined)
    throw new PlugfestError('PLUGFEST_VERDICT_FORMAT', `${name} is no verdict: ${problem}`, { hint });
  // Where nothing was expected, the file does not say so.
  return { ...(value as Verdict), staleExpectations: [] };
}

/** What keeps a value from being read as a verdict; undefined where nothing does. */
function problemOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'it is not an object';
  if (value.schema !== 'plugfest.verdict/1') return '`schema` is not "plugfest.verdict/1"';
  const { capture, rulebook, findings, rules } = value;
  if (!isJsonObject(capture) || typeof capture.root !== 'string') return '`capture.root` is missing';
  if (!isJsonObject(rulebook) || typeof rulebook.hash !== 'string' || typeof rulebook.version !== 'string')
    return '`rulebook.version` or `rulebook.hash` is missing';
  if (!areAll(findings, ['rule', 'agent', 'party', 'outcome', 'message'])) return '`findings` is malformed';
  if (!areAll(rules, ['id', 'status'])) return '`rules` is malformed';
  return undefined;
}

function areAll(list: unknown, members: readonly string[]): boolean {
  const has = (each: unknown): boolean =>
    isJsonObject(each) && members.every((name) => typeof (each as JsonObject)[name] === 'string');
  return Array.isArray(list) && list.every(has);
}
