import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { captureRows } from '../e2e/capture-rows.ts';
import { Agent, Load } from './load.ts';
import type { Closed, Order, Ready, Usage } from './messages.ts';

const usage = `usage: npm run soak -- [--minutes N] [--streams N] [--rate N]

Records --rate (500) requests a second and --streams (200) open streams for --minutes (2), and checks that memory stays
flat, that no record is lost, and that nothing is left open. Exit code 1 where one of these is not so.`;

function positive(text: string | undefined, name: string, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  process.stderr.write(`soak: --${name} takes a number above 0, not ${JSON.stringify(text)}\n${usage}\n`);
  process.exit(2);
}

const parse = () =>
  parseArgs({
    options: {
      minutes: { type: 'string' },
      streams: { type: 'string' },
      rate: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;

function options(): ReturnType<typeof parse> {
  try {
    return parse();
  } catch (error) {
    process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    process.exit(2);
  }
}

const given = options();
if (given.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const minutes = positive(given.minutes, 'minutes', 2);
const streams = Math.round(positive(given.streams, 'streams', 200));
const rate = Math.round(positive(given.rate, 'rate', 500));

/** Waits for the next message of the recorder. */
async function hear<T>(child: ChildProcess, what: string): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error(`waited too long: ${what}`)), 60_000);
  const { signal } = over;
  try {
    const [message] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => {
        throw new Error(`the recorder ended before ${what}`);
      }),
    ])) as [T];
    return message;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

interface Sample extends Usage {
  readonly atS: number;
  readonly sent: number;
}

/** Growth in a second, by least squares. */
function slope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const n = samples.length;
  if (n < 2) return 0;
  const meanX = samples.reduce((sum, { atS }) => sum + atS, 0) / n;
  const meanY = samples.reduce((sum, sample) => sum + of(sample), 0) / n;
  let above = 0;
  let below = 0;
  for (const sample of samples) {
    above += (sample.atS - meanX) * (of(sample) - meanY);
    below += (sample.atS - meanX) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

const folder = mkdtempSync(join(tmpdir(), 'plugfest-soak-'));
const capture = join(folder, 'capture.sqlite');
const rows: {
  readonly what: string;
  readonly value: string;
  readonly ok: boolean;
  readonly limit: string;
}[] = [];
const check = (what: string, value: string, ok: boolean, limit: string): void => {
  rows.push({ what, value, ok, limit });
};
const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

try {
  await using agent = await Agent.start();
  const recorder = fork(new URL('./recorder.ts', import.meta.url), [capture, agent.origin], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  });
  // Broken off, it leaves nothing behind.
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      recorder.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      process.exit(code);
    });
  const ask = async <T>(order: Order): Promise<T> => {
    const answer = hear<T>(recorder, `it answered ${order.type}`);
    recorder.send(order);
    return answer;
  };
  const { origin } = await hear<Ready>(recorder, 'it listened');
  const idle = await ask<Usage>({ type: 'usage' });

  const load = new Load(origin, { requests: rate, streams });
  load.start();
  const seconds = minutes * 60;
  const everyMs = Math.max(1000, Math.min(10_000, (seconds * 1000) / 60));
  const samples: Sample[] = [];
  let peakStreams = 0;
  while (load.seconds < seconds) {
    await new Promise((resolve) =>
      setTimeout(resolve, Math.min(everyMs, (seconds - load.seconds) * 1000 + 1)),
    );
    peakStreams = Math.max(peakStreams, load.openStreams);
    const sample = { ...(await ask<Usage>({ type: 'usage' })), atS: load.seconds, sent: load.sent };
    if (Math.floor(sample.atS / 10) > Math.floor((samples.at(-1)?.atS ?? 0) / 10))
      process.stderr.write(
        `soak: ${sample.atS.toFixed(0)} s, ${sample.sent} requests, heap ${mb(sample.heapBytes)}, thread ${mb(sample.threadBytes)}, rss ${mb(sample.rssBytes)}\n`,
      );
    samples.push(sample);
  }
  const { sent } = load;
  const reached = sent / load.seconds;
  await load.stop();
  // What the recorder had open for the load has to go by itself.
  let settled = await ask<Usage>({ type: 'usage' });
  const isIdle = (now: Usage): boolean => (now.active.TCPSocketWrap ?? 0) <= (idle.active.TCPSocketWrap ?? 0);
  for (let i = 0; i < 50 && !isIdle(settled); i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    settled = await ask<Usage>({ type: 'usage' });
  }
  const exited = once(recorder, 'exit');
  const closed = await ask<Closed>({ type: 'close' });
  recorder.disconnect();
  const impatience = setTimeout(() => recorder.kill('SIGKILL'), 5000);
  const [, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  clearTimeout(impatience);

  // Warm-up: until caches are full and code is compiled.
  const warm = samples.filter(({ atS }) => atS >= Math.min(30, seconds / 3));
  const span = (warm.at(-1)?.atS ?? 0) - (warm[0]?.atS ?? 0);
  const heapGrowth = slope(warm, (sample) => sample.heapBytes + sample.externalBytes) * span;
  // Nobody collects the garbage of the thread for us, so what is least in a while is nearest to what it holds.
  const third = Math.max(1, Math.floor(warm.length / 3));
  const least = (of: readonly Sample[]): number => Math.min(...of.map(({ threadBytes }) => threadBytes));
  const threadGrowth = least(warm.slice(-third)) - least(warm.slice(0, third));
  const rss = warm.at(-1)?.rssBytes ?? 0;
  // 16 MB in ten minutes is some 56 bytes for each of 500 requests a second: nothing of an exchange may be kept.
  const tolerated = 16 * 1024 * 1024 * (span / 600);
  const heapLimit = Math.max(3 * 1024 * 1024, tolerated);
  const threadLimit = Math.max(8 * 1024 * 1024, tolerated);
  // V8 keeps what it once took for garbage; how much that is depends on the machine.
  const rssLimit = 512 * 1024 * 1024;

  const scaled = reached < 0.95 * rate || peakStreams < 0.95 * streams;
  check(
    'requests',
    `${sent} (${reached.toFixed(0)}/s)`,
    reached >= rate / 10,
    `${rate}/s${scaled ? ': more than this machine could; a tenth is the least' : ''}`,
  );
  check(
    'streams',
    `${load.streamsBegun}, ${peakStreams} at once`,
    peakStreams >= streams / 10,
    `${streams} at once`,
  );
  check('failures', String(load.failed.length), load.failed.length === 0, '0');
  check('heap growth', `${mb(heapGrowth)} in ${span.toFixed(0)} s`, heapGrowth <= heapLimit, mb(heapLimit));
  check('heap growth, thread', mb(threadGrowth), threadGrowth <= threadLimit, mb(threadLimit));
  check('rss', mb(rss), rss <= rssLimit, mb(rssLimit));

  const [counts] = captureRows<{
    requests: number;
    targets: number;
    complete: number;
    streams: number;
    ended: number;
    open: number;
  }>(
    capture,
    `SELECT sum(e.target LIKE '/r/%') AS requests, count(DISTINCT CASE WHEN e.target LIKE '/r/%' THEN e.target END) AS targets,
       sum(e.target LIKE '/r/%' AND n.kind = 'complete') AS complete, sum(e.target LIKE '/stream/%') AS streams,
       sum(e.target LIKE '/stream/%' AND n.kind = 'complete') AS ended, sum(n.kind IS NULL) AS open
     FROM exchanges e LEFT JOIN ends n ON n.exchange = e.seq`,
  );
  const [gaps] = captureRows<{ gaps: number }>(capture, 'SELECT count(*) AS gaps FROM gaps');
  const lost = sent - (counts?.targets ?? 0);
  check(
    'requests on record',
    `${counts?.targets ?? 0}, ${lost} lost`,
    lost === 0 && counts?.requests === sent,
    String(sent),
  );
  check(
    'answers on record',
    String(counts?.complete ?? 0),
    counts?.complete === load.answered,
    String(load.answered),
  );
  check(
    'streams on record',
    String(counts?.streams ?? 0),
    counts?.streams === load.streamsBegun,
    String(load.streamsBegun),
  );
  // Of those that their client left, some had been delivered as a whole by then.
  const seen = counts?.ended ?? 0;
  check(
    'streams seen to their end',
    String(seen),
    seen >= load.streamsEnded && seen <= load.streamsEnded + load.streamsLeft,
    `${load.streamsEnded}, and ${load.streamsLeft} left`,
  );
  check('exchanges without an end', String(counts?.open ?? 0), counts?.open === 0, '0');
  check('gaps', String(gaps?.gaps ?? 0), gaps?.gaps === 0, '0');
  check(
    'sockets left',
    String(settled.active.TCPSocketWrap ?? 0),
    isIdle(settled),
    String(idle.active.TCPSocketWrap ?? 0),
  );
  const timers = settled.active.Timeout ?? 0;
  check(
    'timers left',
    String(timers),
    timers <= (idle.active.Timeout ?? 0) + 1,
    `${idle.active.Timeout ?? 0} + 1`,
  );
  const holding = Object.entries(closed.active).filter(
    ([kind]) => !/^(Pipe|PipeWrap|MessagePort|Immediate|TTYWrap)$/.test(kind),
  );
  check(
    'open after the close',
    holding.map(([kind, n]) => `${kind} ${n}`).join(', ') || 'nothing',
    holding.length === 0,
    'nothing',
  );
  check('ends by itself', signal === null ? 'yes' : `no (${signal})`, signal === null, 'yes');
  const cpu = ((samples.at(-1)?.cpuUs ?? 0) - idle.cpuUs) / Math.max(1, sent);
  check('processor time', `${cpu.toFixed(0)} µs a request`, true, 'for information');
  check('capture', mb(statSync(capture).size), true, 'for information');

  for (const problem of load.failed.slice(0, 10)) process.stdout.write(`failed: ${problem}\n`);
  const wide = Math.max(...rows.map(({ what }) => what.length));
  const wider = Math.max(...rows.map(({ value }) => value.length));
  for (const { what, value, ok, limit } of rows)
    process.stdout.write(
      `${ok ? 'ok  ' : 'FAIL'} ${what.padEnd(wide)}  ${value.padEnd(wider)}  (${limit})\n`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const failed = rows.filter(({ ok }) => !ok).length;
process.stdout.write(failed === 0 ? 'soak: all held\n' : `soak: ${failed} not held\n`);
process.exit(failed === 0 ? 0 : 1);
