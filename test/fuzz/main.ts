import { parseArgs } from 'node:util';
import { FrameTarget } from './frames.ts';
import { Random } from './random.ts';
import { RequestTarget } from './requests.ts';
import { ResponseTarget } from './responses.ts';
import { Finding, type Target } from './target.ts';

const targets: Readonly<Record<string, () => Promise<Target>>> = {
  requests: () => RequestTarget.start(),
  responses: () => ResponseTarget.start(),
  frames: () => FrameTarget.start(),
};

const usage = `usage: npm run fuzz -- [--seconds N] [--seed N] [--only ${Object.keys(targets).join('|')}] [--case N]

Throws nearly valid bytes at taps of this process for --seconds (10). What was found is printed with the command that
plays it again. Exit code 1 where something was found.`;

function count(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  process.stderr.write(`fuzz: --${name} takes a whole number, not ${JSON.stringify(text)}\n${usage}\n`);
  process.exit(2);
}

function options(): ReturnType<typeof parse> {
  try {
    return parse();
  } catch (error) {
    process.stderr.write(`fuzz: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    process.exit(2);
  }
}

const parse = () =>
  parseArgs({
    options: {
      seconds: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      case: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;

const given = options();
if (given.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const seconds = count(given.seconds, 'seconds') ?? 10;
const seed = count(given.seed, 'seed') ?? Math.floor(Math.random() * 2 ** 31);
const only = count(given.case, 'case');
if (given.only !== undefined && !Object.hasOwn(targets, given.only)) {
  process.stderr.write(`fuzz: nothing is called ${given.only}\n${usage}\n`);
  process.exit(2);
}
if (only !== undefined && given.only === undefined) {
  process.stderr.write(`fuzz: --case needs --only\n${usage}\n`);
  process.exit(2);
}

let found = 0;

/** What the process itself reports belongs to no case for sure: those under way are named. */
const underWay = new Map<string, number>();
const report = (text: string): void => {
  found += 1;
  process.stdout.write(`\n${text}\n`);
};
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    const cases = [...underWay].map(([name, number]) => `${name} ${number}`).join(', ');
    report(
      `${event} (seed ${seed}, during ${cases}): ${error instanceof Error ? error.stack : String(error)}`,
    );
  });

/** Lanes of a target: there is time for others while one waits. */
const lanes = only === undefined ? 2 : 1;
const outcomes = new Map<string, Map<string, number>>();
/** A case of each outcome that says that more was refused than has to be. */
const examples = new Map<string, number>();
const deadline = performance.now() + seconds * 1000;

async function lane(name: string, start: () => Promise<Target>, first: number): Promise<void> {
  await using target = await start();
  const counts = outcomes.get(name) ?? new Map<string, number>();
  outcomes.set(name, counts);
  const key = `${name}/${first}`;
  for (let number = only ?? first; performance.now() < deadline && found < 10; number += lanes) {
    underWay.set(key, number);
    try {
      const outcome = await target.play(Random.of(seed, number));
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (only !== undefined) process.stdout.write(`${outcome}: ${JSON.stringify(target.last)}\n`);
      else if (outcome.startsWith('valid') && !examples.has(`${name}: ${outcome}`))
        examples.set(`${name}: ${outcome}`, number);
    } catch (error) {
      if (!(error instanceof Finding)) throw error;
      report(
        `${name}: ${error.message}\n  bytes: ${JSON.stringify(error.bytes)}\n  again: npm run fuzz -- --only ${name} --seed ${seed} --case ${number}`,
      );
      // What it left behind is not the next case's: this lane is over.
      break;
    }
    if (only !== undefined) break;
  }
  underWay.delete(key);
}

process.stdout.write(`fuzz: seed ${seed}, ${only === undefined ? `${seconds} s` : `case ${only}`}\n`);
const names = given.only === undefined ? Object.keys(targets) : [given.only];
await Promise.all(
  names.flatMap((name) => {
    const start = targets[name];
    return start === undefined ? [] : Array.from({ length: lanes }, (_, first) => lane(name, start, first));
  }),
);

// All taps are closed: what is open now was forgotten.
const left = (): string[] =>
  process.getActiveResourcesInfo().filter((kind) => /^(TCP|TLS|HTTP|Timeout)/.test(kind));
for (let i = 0; i < 100 && left().length > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
const leaked = left().filter((kind) => kind !== 'Timeout');
if (leaked.length > 0) report(`left open after all taps were closed: ${leaked.join(', ')}`);

for (const [name, counts] of outcomes) {
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([outcome, each]) => `${outcome} ${each}`);
  process.stdout.write(`${name.padEnd(10)} ${String(total).padStart(7)} cases: ${parts.join(', ')}\n`);
  if (total === 0 && found === 0) report(`${name}: not one case was played`);
}
for (const [outcome, number] of examples) process.stdout.write(`  ${outcome}, such as case ${number}\n`);
process.stdout.write(found === 0 ? 'fuzz: nothing found\n' : `fuzz: ${found} found\n`);
process.exit(found === 0 ? 0 : 1);
