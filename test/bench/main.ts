import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { globMatches } from '@plugfest/model';
import type { Figure, FigureResult } from './figure.ts';
import { NotToBeHad, rounded } from './figure.ts';

const usage = `Usage: node test/bench/main.ts [--format text|json] [--only GLOB]

Takes the figures of test/bench/figures, each as a ratio or a delay within this one run.
Example: node test/bench/main.ts --only 'proxy.*' --format json
`;

function readArguments(): { readonly format: 'text' | 'json'; readonly only: string } {
  try {
    const { values } = parseArgs({
      options: {
        format: { type: 'string', default: 'text' },
        only: { type: 'string', default: '*' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      process.exit(0);
    }
    if (values.format !== 'text' && values.format !== 'json')
      throw new Error(`--format ${values.format}: text or json`);
    return { format: values.format, only: values.only };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

async function figures(only: string): Promise<readonly Figure[]> {
  const folder = new URL('./figures/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort();
  const all = await Promise.all(
    files.map(
      async (file) => ((await import(new URL(file, folder).href)) as { readonly default: Figure }).default,
    ),
  );
  return all.filter((figure) => globMatches(only, figure.name));
}

/** Figures that nobody could take here. */
const notToBeHad = new Set<string>();

async function take(figure: Figure): Promise<FigureResult> {
  const { name, unit, target } = figure;
  try {
    const { value, detail } = await figure.measure();
    const ok = figure.better === 'higher' ? value >= target : value <= target;
    return { name, value: rounded(value), unit, target, ok, detail };
  } catch (error) {
    if (error instanceof NotToBeHad) notToBeHad.add(name);
    const reason = error instanceof Error ? error.message : String(error);
    return { name, value: null, unit, target, ok: false, detail: { reason } };
  }
}

const { format, only } = readArguments();
const chosen = await figures(only);
if (chosen.length === 0) {
  process.stderr.write(`No figure is named ${only}\n`);
  process.exit(2);
}
const results: FigureResult[] = [];
for (const figure of chosen) {
  process.stderr.write(`taking ${figure.name} …\n`);
  const result = await take(figure);
  results.push(result);
  if (format === 'text') {
    const sign = figure.better === 'higher' ? '≥' : '≤';
    const verdict = result.ok
      ? 'ok'
      : result.value === null
        ? `not taken: ${result.detail.reason}`
        : 'missed';
    process.stdout.write(
      `${result.name.padEnd(40)} ${String(result.value ?? '-').padStart(9)} ${result.unit} (${sign} ${result.target}) ${verdict}\n`,
    );
  }
}
if (format === 'json') process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
process.exitCode = results.every((result) => result.ok || notToBeHad.has(result.name)) ? 0 : 1;
