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

/** How a stranger gets to the same verdict, and to the same run. */
export function stepsToReproduce(report: Pick<RunReport, 'run' | 'cells'>): readonly Step[] {
  const worst = report.cells.find((cell) => cell.outcome === 'failed' || cell.outcome === 'timeout');
  const again = `plugfest run ${shellWord(report.run.lab)} --seed ${report.run.seed}`;
  return [
    {
      about: 'Judge the recorded traffic again: same capture and rulebook, same bytes',
      command: 'plugfest verify capture.sqlite --format json | cmp - verdict.json',
    },
    { about: 'Run the lab again', command: again },
    ...(worst
      ? [{ about: 'Run one failed cell again', command: `${again} --only ${shellWord(worst.id)}` }]
      : []),
  ];
}
