// Mutation tests of what judges: `npm run mutation [-- --only TARGET [--file GLOB]]`. Exit 1 where the score is below the target.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { globMatches } from '@plugfest/model';
import { jobArguments } from './job-arguments.ts';

const root = join(import.meta.dirname, '..');
const reports = join(root, 'reports', 'mutation');

/** What is mutated together; test/mutation/checks.ts has by name what must notice. */
interface Target {
  readonly name: string;
  readonly mutate: readonly string[];
}

const notSources = ['**/*.test.ts', '**/*.fixture.ts', '**/*.bench.ts', '**/testing/**', '**/generated/**'];

function targets(): readonly Target[] {
  const areas = readdirSync(join(root, 'packages/rules/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'catalogue')
    .map(({ name }) => ({
      name: `rules/${name}`,
      mutate: [`packages/rules/src/${name}/**/*.ts`],
    }));
  return [
    ...areas,
    {
      name: 'rules/shared',
      mutate: ['packages/rules/src/*.ts'],
    },
    {
      name: 'verifier',
      mutate: ['packages/verifier/src/**/*.ts', '!packages/verifier/src/examples/**'],
    },
    {
      name: 'a2a',
      mutate: ['packages/a2a/src/**/*.ts'],
    },
  ];
}

/** Counts of a target, as Stryker's report has them; mutants of code that runs once, when it is loaded, are left out. */
interface Counts {
  readonly killed: number;
  readonly survived: number;
}

interface MutationReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

function run(target: Target, concurrency: string, file: string | undefined): Counts | undefined {
  const folder = join(reports, target.name.replaceAll('/', '-'));
  mkdirSync(folder, { recursive: true });
  const report = join(folder, 'mutation.json');
  rmSync(report, { force: true });
  const config = join(folder, 'stryker.config.json');
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'plugfest',
      plugins: [join(root, 'test/mutation/stryker-runner.mjs')],
      mutate: [...(file === undefined ? target.mutate : [file]), ...notSources.map((glob) => `!${glob}`)],
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
      // Of large texts the first run counts each step, which makes it several times as long as those that follow.
      timeoutFactor: target.name === 'a2a' ? 0.5 : 1.5,
      // TypeScript 7 has no API for Stryker to rewrite it with; nothing here needs it.
      tsconfigFile: 'none.json',
      concurrency: Number(concurrency),
      reporters: ['json', 'clear-text', 'progress-append-only'],
      clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true },
      jsonReporter: { fileName: report },
      tempDirName: join(root, '.stryker-tmp', target.name.replaceAll('/', '-')),
      ignorePatterns: ['.stryker-tmp', 'docs', 'reports', 'plugfest-out', '.agents', 'packages/*/dist'],
    }),
  );
  const { status } = spawnSync(
    process.execPath,
    [
      // Node may crash where several threads strip types at once (see vitest.config.ts).
      '--wasm-wrapper-tiering-budget=1000000000',
      join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
      ...['run', config],
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PLUGFEST_MUTATION_TARGET: target.name,
      },
    },
  );
  if (status !== 0 || !existsSync(report)) return undefined;
  return countsOf(JSON.parse(readFileSync(report, 'utf8')));
}

function countsOf({ files }: MutationReport): Counts {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const having = (...wanted: readonly string[]): number =>
    statuses.filter((status) => wanted.includes(status)).length;
  return { killed: having('Killed', 'Timeout'), survived: having('Survived', 'NoCoverage') };
}

const sum = (of: readonly Counts[]): Counts => ({
  killed: of.reduce((total, { killed }) => total + killed, 0),
  survived: of.reduce((total, { survived }) => total + survived, 0),
});

/** The share of mutants that have to be noticed. */
const wantedScore = 0.85;

const score = ({ killed, survived }: Counts): string =>
  killed + survived === 0 ? '–' : `${((100 * killed) / (killed + survived)).toFixed(1)} %`;

function table(counts: ReadonlyMap<string, Counts>): string {
  const rows = [...counts].map(
    ([name, each]) =>
      `| ${name} | ${each.killed + each.survived} | ${each.killed} | ${each.survived} | ${score(each)} |`,
  );
  const all = sum([...counts.values()]);
  return [
    '| target | mutants | killed | survived | score |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
    `| **all** | ${all.killed + all.survived} | ${all.killed} | ${all.survived} | ${score(all)} |`,
  ].join('\n');
}

const usage = `usage: npm run mutation -- [--only TARGET] [--file GLOB] [--concurrency N]

Mutates what judges, and looks whether the rules' records notice. TARGET is a glob over rules/<area>, rules/shared, verifier and a2a;
--file mutates these files alone. Exit code 1 where a score is below its target.`;
const { values } = jobArguments(usage, {
  only: { type: 'string', default: '*' },
  file: { type: 'string' },
  concurrency: { type: 'string', default: '2' },
});
const every = targets();
const chosen = every.filter(({ name }) => globMatches(values.only, name));
if (chosen.length === 0) {
  process.stderr.write(`mutation: no target is named ${values.only}\n\n${usage}\n`);
  process.exit(2);
}
const counts = new Map<string, Counts>();
for (const target of chosen) {
  process.stderr.write(`mutation: ${target.name}\n`);
  const found = run(target, values.concurrency, values.file);
  if (found === undefined) {
    process.stderr.write(`mutation: ${target.name} could not be run; see above\n`);
    process.exitCode = 3;
  } else counts.set(target.name, found);
}
process.stdout.write(`${table(counts)}\n`);
const all = sum([...counts.values()]);
if (all.killed < wantedScore * (all.killed + all.survived)) process.exitCode ??= 1;
