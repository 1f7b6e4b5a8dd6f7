import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { baseImages } from './base-images.ts';
import { run } from './command.ts';
import { type ComposeCli, composeClis } from './compose-cli.ts';
import { type Engine, engine } from './engine.ts';
import { type ComposeLab, composeLab } from './lab-files.ts';
import { type Seen, seenIn } from './seen.ts';
import { type Trace, traceOfJaeger, tracesIn } from './traces.ts';

const root = resolve(new URL('../..', import.meta.url).pathname);
const folder = join(root, 'compose');

const usage = `usage: npm run compose -- [LAB…] [--traces] [--keep]

Brings the labs in compose/ up on a real Docker engine (the one that answers, or one that is started for it, as root), runs
them to their end, and looks into what was recorded. LAB is the name of a file in compose/ (default: pair). Exit code 1 where
a lab does not end clean, or its capture does not hold what it should. --traces also starts the lab's Jaeger, which takes minutes to
build where no registry has it, and looks whether all traces are in it. --keep leaves the output in compose/out.

Whose agent joins the lab event is told as compose/README.md says; without that it is Plugfest's own on the JavaScript SDK.`;

/** For the lab event. */
const { VENDOR_IMAGE = 'plugfest-agent-js', VENDOR_PORT = '8000' } = process.env;
const vendor = { VENDOR_IMAGE, VENDOR_PORT };

let passed = 0;
let failed = 0;
function check(name: string, problem: string | undefined): void {
  if (problem === undefined) passed += 1;
  else failed += 1;
  process.stdout.write(problem === undefined ? `ok      ${name}\n` : `FAILED  ${name}\n        ${problem}\n`);
}

const log = (line: string): void => {
  process.stderr.write(`compose: ${line}\n`);
};

/** Both generations of compose have to take each file. */
async function accepted(cli: ComposeCli, lab: string, env: Engine['env']): Promise<void> {
  const config = (given: Engine['env']) =>
    run(cli.command[0], [...cli.command.slice(1), '-f', `${lab}.yaml`, 'config', '--quiet'], {
      cwd: folder,
      env: { ...env, ...given },
    });
  const { code, output } = await config(vendor);
  check(`${cli.name} takes compose/${lab}.yaml`, code === 0 ? undefined : output.trim());
  if (lab !== 'event') return;
  const without = await config({ ...vendor, VENDOR_PORT: '' });
  check(
    `${cli.name} says what compose/${lab}.yaml needs where it is not told`,
    without.code !== 0 && /VENDOR_PORT.*compose\/README\.md/s.test(without.output)
      ? undefined
      : `code ${without.code}: ${without.output.trim()}`,
  );
}

async function runLab(cli: ComposeCli, about: ComposeLab, docker: Engine): Promise<void> {
  const [program, ...args] = cli.command;
  const lab = about.name;
  const out = await mkdtemp(join(tmpdir(), 'plugfest-compose-'));
  // Names of one run, so that two at a time do not meet, and nothing of another one is taken down.
  const project = `plugfest-${lab}-${process.pid}`;
  const env = {
    ...vendor,
    ...docker.env,
    PLUGFEST_USER: `${process.getuid?.() ?? 1000}:${process.getgid?.() ?? 1000}`,
    PLUGFEST_OUT: out,
    ...(values.traces && about.traces
      ? { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${about.traces.service}:4318` }
      : {}),
    COMPOSE_DOCKER_CLI_BUILD: '0',
    DOCKER_BUILDKIT: '0',
  };
  const compose = (...more: string[]) =>
    run(program, [...args, '-p', project, '-f', `${lab}.yaml`, ...more], {
      cwd: folder,
      env,
      timeoutMs: 1_500_000,
      show: true,
      ...(more.includes('down') ? {} : { signal: stopping.signal }),
    });
  try {
    const built = await compose('build');
    check(`${lab}: images are built`, built.code === 0 ? undefined : lastLines(built.output));
    if (built.code !== 0) return;
    const { traces } = about;
    if (values.traces && traces) {
      const { code, output } = await compose('--profile', 'traces', 'up', '-d', traces.service);
      check(`${lab}: ${traces.service} starts`, code === 0 ? undefined : lastLines(output));
    }
    // The service is named, so that the Jaeger outlives the lab.
    const up = await compose('up', '--abort-on-container-exit', '--exit-code-from', 'plugfest', 'plugfest');
    // What a vendor's agent breaks is data, and not for this test to judge.
    const clean = lab === 'event' ? [0, 1] : [0];
    check(
      `${lab}: ends ${clean.length === 1 ? 'clean' : 'with a verdict'}, by ${cli.name}`,
      clean.includes(up.code) ? undefined : `exit code ${up.code}\n${lastLines(up.output)}`,
    );
    const capture = join(out, lab, 'capture.sqlite');
    if (!existsSync(capture)) {
      check(`${lab}: leaves a capture`, `there is no ${lab}/capture.sqlite in the output`);
      return;
    }
    judge(about, await seenIn(capture));
    if (values.traces && traces) await judgeTraces(about, join(out, lab, 'traces.otlp.jsonl'), traces.url);
    if (values.keep) await cp(join(out, lab), join(folder, 'out', lab), { recursive: true });
  } finally {
    const profile = values.traces ? ['--profile', 'traces'] : [];
    const down = await compose(...profile, 'down', '--volumes', '--remove-orphans');
    check(`${lab}: is taken down`, down.code === 0 ? undefined : lastLines(down.output));
    await rm(out, { recursive: true, force: true });
  }
}

const shownAt = (url: string, traces: readonly Trace[]) =>
  Promise.all(traces.map(({ id }) => traceOfJaeger(url, id)));

async function judgeTraces({ name: lab, pairs }: ComposeLab, file: string, url: string): Promise<void> {
  const written = await tracesIn(file);
  let shown = await shownAt(url, written);
  // Spans pass through a queue of Jaeger's.
  for (let left = 10; left > 0 && !isDeepStrictEqual(shown, written); left -= 1) {
    await sleep(1000);
    shown = await shownAt(url, written);
  }
  const wrong = written.flatMap((trace, index) =>
    isDeepStrictEqual(trace, shown[index]) ? [] : [{ written: trace, shown: shown[index] }],
  );
  check(
    `${lab}: its ${written.length} traces are at ${url}`,
    written.length > 0 && wrong.length === 0
      ? undefined
      : `${wrong.length} are missing or other ones, the first: ${JSON.stringify(wrong[0])}`,
  );
  // An agent that is told to call another one makes a chain of two hops.
  for (const [caller, callee] of pairs) {
    const hops = [`plugfest→${caller}`, `${caller}→${callee}`];
    const whole = shown.filter(
      (trace) => trace?.roots === 1 && hops.every((hop) => trace.edges.includes(hop)),
    );
    check(
      `${lab}: both hops by way of ${caller} to ${callee} are in one trace (${whole.length})`,
      whole.length > 0 ? undefined : 'no trace has both, with one root',
    );
  }
}

function judge({ name: lab, pairs, signed, untouched }: ComposeLab, seen: Seen): void {
  const { edges, altered } = seen;
  for (const [caller, callee] of pairs) {
    const calls = edges.get(`${caller}>${callee}`) ?? 0;
    check(
      `${lab}: ${caller} called ${callee} (${calls} exchanges)`,
      calls > 0 ? undefined : 'nothing was recorded',
    );
  }
  if (untouched)
    check(
      `${lab}: bodies between agents are unaltered`,
      altered.length === 0 ? undefined : altered.slice(0, 5).join(', '),
    );
  // An agent that nobody calls has its card fetched by nobody.
  for (const agent of signed.filter((name) => pairs.some(([, callee]) => callee === name))) {
    const cards = seen.cards.filter(({ callee }) => callee === agent);
    check(
      `${lab}: the card of ${agent} reached its peers as it was, with its signatures (${cards.length})`,
      cards.length > 0 && cards.every(({ intact }) => intact)
        ? undefined
        : JSON.stringify(cards.filter(({ intact }) => !intact).slice(0, 5)),
    );
  }
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-30).join('\n');

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        keep: { type: 'boolean' },
        traces: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    process.stderr.write(`compose: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    process.exit(2);
  }
}

const { values, positionals } = options();
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const all = (await readdir(folder))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length));
const labs = positionals.length > 0 ? positionals : ['pair'];
const strange = labs.filter((lab) => !all.includes(lab));
if (strange.length > 0) {
  process.stderr.write(`compose: there is no compose/${strange[0]}.yaml; there are ${all.join(', ')}\n`);
  process.exit(2);
}

// What was started is taken down on a signal, too.
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => stopping.abort(new Error(`ended by ${signal}`)));

try {
  await using docker = await engine();
  log(`${docker.about}`);
  const clis = await composeClis(docker);
  const [first] = clis;
  if (first === undefined) throw new Error('neither `docker compose` nor docker-compose is here');
  for (const cli of clis) for (const lab of all) await accepted(cli, lab, docker.env);
  const bases = baseImages(docker, log, stopping.signal);
  const chosen = await Promise.all(labs.map((lab) => composeLab(folder, lab)));
  for (const { dockerfiles } of chosen) for (const dockerfile of dockerfiles) await bases.provide(dockerfile);
  if (values.traces) for (const { traces } of chosen) if (traces) await bases.provideImage(traces.image);
  for (const lab of chosen) if (!stopping.signal.aborted) await runLab(first, lab, docker);
  if (stopping.signal.aborted) throw stopping.signal.reason;
} catch (error) {
  check('a Docker engine, and the images', error instanceof Error ? error.message : String(error));
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
