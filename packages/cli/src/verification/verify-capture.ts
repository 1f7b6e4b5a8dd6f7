import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openCaptureSource } from '@plugfest/capture';
import type { CaptureSource, Verdict } from '@plugfest/model';
import type { Rulebook, VerifyOptions } from '@plugfest/verifier';
import { factsOf, splitRules, Verification, verdictOf, verify } from '@plugfest/verifier';
import { HeapGrowth, isRoomy } from './heap-growth.ts';
import type { LoneAnswer, LoneCapture, LoneTask } from './lone-messages.ts';

/** From so many exchanges on, a second thread is worth its start. */
const worthAThread = 20_000;

/** Exchanges judged before the process looks at what else is there: a signal, or the other thread. */
const atOnce = 256;

export interface CaptureToVerify {
  readonly file: string;
  /** The capture, opened. */
  readonly source: CaptureSource;
  /** 1 or 2; chosen by the machine and the size of the capture where it is not given. */
  readonly threads?: number | undefined;
  /** Public keys that card signatures may have been made with. */
  readonly keys?: VerifyOptions['keys'];
}

/**
 * Judges a capture. The verdict does not depend on the number of threads. The rulebook may still be loading: a second
 * thread starts meanwhile.
 */
export async function verifyCapture(
  { file, source, threads, keys = [] }: CaptureToVerify,
  book: Rulebook | Promise<Rulebook>,
): Promise<Verdict> {
  const { exchanges, cleanShutdown } = source.info;
  const wanted = threads ?? (exchanges >= worthAThread && availableParallelism() > 1 ? 2 : 1);
  const options = { keys, packs: !isRoomy(exchanges) };
  // A capture that is being written is not the same for two readers.
  return (
    (wanted > 1 && cleanShutdown
      ? await verifyInTwoThreads(file, source, book, { ...factsOf(source), ...options })
      : undefined) ?? verify(source, await book, options)
  );
}

/** Undefined where the halves do not fit together: then all rules have to be applied in one thread. */
async function verifyInTwoThreads(
  file: string,
  source: CaptureSource,
  loading: Rulebook | Promise<Rulebook>,
  options: VerifyOptions,
): Promise<Verdict | undefined> {
  const { harness = new Set(), packs = true } = options;
  // Packing is more work than hashing: the other thread hashes what it reads where this one packs.
  const workerData: LoneCapture = { file, hashing: packs };
  const worker = new Worker(new URL('./lone-thread.ts', import.meta.url), {
    workerData,
    name: 'plugfest-verify',
    env: { ...process.env, ...compileCache() },
    // It keeps nothing but findings; with little room it collects garbage more often instead of growing.
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 24 },
  });
  const own = openCaptureSource(file, { hashing: !packs });
  const answered = Promise.withResolvers<LoneAnswer>();
  worker.once('message', answered.resolve);
  worker.once('error', answered.reject);
  worker.once('exit', (code) => answered.reject(new Error(`the verifying thread ended with ${code}`)));
  // It is awaited below; until then its failure must not end the process.
  answered.promise.catch(() => {});
  try {
    const book = await loading;
    const { alone, joint } = splitRules(book.rules);
    worker.postMessage({ rules: alone.map(({ id }) => id), harness } satisfies LoneTask);
    const verification = new Verification(book, options, joint);
    const growth = new HeapGrowth(!packs);
    let exchanges = 0;
    let lastSeq = -1;
    for (const captured of own.exchanges()) {
      verification.add(captured);
      exchanges += 1;
      lastSeq = captured.seq;
      if (exchanges % atOnce !== 0) continue;
      growth.adjust();
      await setImmediate();
    }
    // Where memory is short, what has to be unpacked for it waits until the other thread has given back its own.
    if (!packs) verification.judgeWhole();
    const answer = await answered.promise;
    await worker.terminate();
    if (answer.kind === 'not-alone' || answer.exchanges !== exchanges || answer.lastSeq !== lastSeq)
      return undefined;
    return verdictOf(
      { root: answer.root ?? own.info.root, gaps: source.gaps() },
      book,
      verification.finish([answer.judgement]),
    );
  } finally {
    own.close();
    await worker.terminate();
  }
}

/** A thread keeps compiled code where the process does only if it is told: the folder is that above the one of this Node.js. */
function compileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
