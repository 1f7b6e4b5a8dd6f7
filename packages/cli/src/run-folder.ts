import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type Claim, type Claimant, claim, moveCapture, requireReplaceable } from '@plugfest/capture';
import { isPlugfestError, PlugfestError } from '@plugfest/model';
import { loadReporters } from '@plugfest/report';

/** Names in the folder of a run; the reports beside them are named by their reporters. */
const captureName = 'capture.sqlite';
export const tracesName = 'traces.otlp.jsonl';
/** While a run lasts. One that is killed leaves it; the next run in the folder keeps it as `failedName`. */
const recordingName = 'capture.partial.sqlite';
/** As long as a run is at work in the folder. */
const claimName = 'run.lock';
/** The capture of the last run that ended without its reports. */
const failedName = 'capture.failed.sqlite';

/**
 * The folder that a run writes into. Until `publish` it holds what an earlier run left, and beside it the capture
 * that is being recorded.
 */
export class RunFolder {
  /** Path of the capture while it is recorded and judged. */
  readonly recording: string;
  readonly #folder: string;
  readonly #claim: Claim;
  #giveBack = (): void => {};

  /** Throws `PLUGFEST_CAPTURE_BUSY` where another run has the folder. */
  private constructor(folder: string) {
    this.#folder = folder;
    this.recording = join(folder, recordingName);
    this.#claim = claim(join(folder, claimName), (by) => busy(folder, by));
  }

  /** Another run may have the folder from now on. */
  close(): void {
    this.#claim.release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Makes the folder where it is missing. Throws `PLUGFEST_OUTPUT` where it cannot be written, or holds files under
   * our names that no run of ours left there; `PLUGFEST_CAPTURE_BUSY` where another run is at work in it.
   */
  static async open(path: string): Promise<RunFolder> {
    makeFolder(path);
    const folder = new RunFolder(path);
    return await folder.#checked(() => {
      if (existsSync(folder.recording)) folder.#keep();
    });
  }

  /** What is done before anything is written. Where it fails, the folder is free again. */
  async #checked(prepare: () => void): Promise<this> {
    try {
      const reports = (await loadReporters()).flatMap(({ file }) => file ?? []);
      this.#requireOurs([...reports, tracesName]);
      prepare();
    } catch (problem) {
      this.close();
      throw problem;
    }
    return this;
  }

  /**
   * Takes up the run that a folder holds, finished or not: its capture is where this one is to be recorded, and where
   * it was published, stays there too. Throws as `open` does, and `PLUGFEST_USAGE` where there is none.
   */
  static async resume(path: string): Promise<RunFolder> {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw nothingToResume(path);
    const folder = new RunFolder(path);
    return await folder.#checked(() => folder.#takeUp());
  }

  #takeUp(): void {
    // The one that was cut short last is the one that is meant.
    if (existsSync(this.recording)) return;
    const published = this.#path(captureName);
    const failed = this.#path(failedName);
    try {
      // One that broke off after the last that was published; both are there then.
      if (existsSync(published) && !(modified(failed) > modified(published))) {
        copyFileSync(published, this.recording, constants.COPYFILE_EXCL);
        this.#giveBack = () => rmSync(this.recording);
      } else if (existsSync(failed)) {
        moveCapture(failed, this.recording, 'refuse');
        this.#giveBack = () => moveCapture(this.recording, failed, 'refuse');
      } else throw nothingToResume(this.#folder);
    } catch (cause) {
      throw isPlugfestError(cause) ? cause : cannotWrite(this.#folder, cause);
    }
  }

  /** Leaves all as it was before `resume`, where what the folder holds is not what is to be taken up. */
  giveBack(): void {
    this.#giveBack();
  }

  /**
   * Puts the reports and the capture in the place of what an earlier run left. All texts are on the disk before the
   * first file is replaced. Gives the names of all files.
   */
  publish(reports: ReadonlyMap<string, string>): readonly string[] {
    const staged = [...reports.keys()].map(
      (name) => [this.#path(`${name}.partial`), this.#path(name)] as const,
    );
    try {
      for (const [name, text] of reports) {
        rmSync(this.#path(`${name}.partial`), { force: true });
        writeFileSync(this.#path(`${name}.partial`), text, { flag: 'wx' });
      }
      moveCapture(this.recording, this.#path(captureName), 'replace');
      for (const [from, to] of staged) renameSync(from, to);
    } catch (cause) {
      for (const [from] of staged) rmSync(from, { force: true });
      throw isPlugfestError(cause) ? cause : cannotWrite(this.#folder, cause);
    }
    return [captureName, ...reports.keys()];
  }

  /** Keeps what a run recorded that has no reports. Gives its problem, with a hint that says where. */
  keepFailed(problem: unknown): unknown {
    if (!existsSync(this.recording)) return problem;
    let kept = this.recording;
    try {
      kept = this.#keep();
    } catch (second) {
      // It stays where it is, and the first problem is the one to report.
      if (!isPlugfestError(second)) throw second;
    }
    return withHint(problem, `What it recorded is in ${kept}.`);
  }

  /** Moves a capture without reports out of the way of the next. Gives its path. */
  #keep(): string {
    const failed = this.#path(failedName);
    moveCapture(this.recording, failed, 'replace');
    return failed;
  }

  /** A folder is ours that holds a capture of ours, or nothing under the names of what a run writes. */
  #requireOurs(names: readonly string[]): void {
    for (const name of [captureName, recordingName, failedName, ...names]) {
      const found = lstatSync(this.#path(name), { throwIfNoEntry: false });
      if (found !== undefined && !found.isFile())
        throw foreign(this.#path(name), found.isSymbolicLink() ? 'is a link' : 'is not a file');
    }
    requireReplaceable(this.#path(captureName));
    if (existsSync(this.#path(captureName))) return;
    const report = names.find((name) => existsSync(this.#path(name)));
    if (report !== undefined) throw foreign(this.#path(report), `lies there without a ${captureName}`);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}

/** When a file was written last; before all others where it is not there. */
const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const nothingToResume = (path: string): PlugfestError =>
  new PlugfestError('PLUGFEST_USAGE', `--resume: ${path} holds no run`, {
    hint: 'Give the folder that the interrupted run wrote into (its --out).',
  });

/** The same problem with something more to know; what is no error of ours stays as it is. */
export function withHint(problem: unknown, text: string): unknown {
  if (!isPlugfestError(problem) || text === '') return problem;
  const hint = problem.hint === undefined ? text : `${problem.hint} ${text}`;
  return new PlugfestError(problem.code, problem.message, { hint, cause: problem });
}

function busy(folder: string, by: Claimant | undefined): PlugfestError {
  const host = by === undefined || by.host === hostname() ? '' : ` on ${by.host}`;
  const who = by === undefined ? '' : ` (process ${by.pid}${host}, since ${by.since})`;
  return new PlugfestError('PLUGFEST_CAPTURE_BUSY', `A run is going on in ${folder}${who}`, {
    hint: 'Wait until it has ended, or choose another folder with --out.',
  });
}

const foreign = (path: string, what: string): PlugfestError =>
  new PlugfestError('PLUGFEST_OUTPUT', `${path} ${what}, so no run of Plugfest left it there`, {
    hint: 'Choose another folder with --out, or remove it yourself.',
  });

/** Makes a folder and those above it. Not by `recursive`, which never comes back where /proc refuses. */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const each of missing) mkdirSync(each);
    if (!statSync(folder).isDirectory()) throw new Error('not a folder');
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
}

function cannotWrite(path: string, cause: unknown): PlugfestError {
  const reason = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : undefined;
  const why = reason === undefined ? '' : ` (${reason})`;
  return new PlugfestError('PLUGFEST_OUTPUT', `${path} cannot be written${why}`, {
    hint: 'Choose another folder with --out.',
    cause,
  });
}
