import type { RunReport } from '@plugfest/model';
import { oneLine } from './printable.ts';

/** A word for a POSIX shell. */
export function shellWord(text: string): string {
  const word = oneLine(text);
  return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export interface Step {
  readonly about: string;
  readonly command: string;
}

/** Runs one cell again when a `shellWord` of its id follows; beside the run that is being read, not in its place. */
export const againPrefix = ({ lab, seed }: RunReport['run']): string =>
  `plugfest run ${shellWord(lab)} --seed ${seed} --out plugfest-out/again --only`;

/** How a stranger gets to the same verdict, and to the same run. */
export function stepsToReproduce(report: Pick<RunReport, 'run' | 'cells'>): readonly Step[] {
  const bad = report.cells.filter((cell) => cell.outcome === 'failed' || cell.outcome === 'timeout');
  const worst = bad.find((cell) => cell.expectedBecause === undefined) ?? bad[0];
  const again = `plugfest run ${shellWord(report.run.lab)} --seed ${report.run.seed}`;
  return [
    {
      about:
        'Judge the recorded traffic again, in the folder of this report: same capture and rulebook, same bytes',
      command: 'plugfest verify capture.sqlite --format json | cmp - verdict.json',
    },
    { about: 'Run the lab again', command: again },
    ...(worst
      ? [
          {
            about: 'Run one failed cell again, beside this run instead of in its place',
            command: `${againPrefix(report.run)} ${shellWord(worst.id)}`,
          },
        ]
      : []),
  ];
}
