import { type CellResult, scenarioOfCell } from '@plugfest/model';
import { type Lab, namesCell, type ProgressEvent } from '@plugfest/orchestrator';
import { isExpectedBy, type Results } from '@plugfest/verifier';
import type { Io } from './io.ts';
import { paintOf } from './io.ts';
import { printableIn } from './printable-in.ts';

/** Prints what happens in a run to stderr: on a terminal one line that moves, else a line now and then. */
export function progressPrinter(
  io: Io,
  expected: Lab['expect'] = { findings: [], cells: [] },
): {
  readonly onProgress: (event: ProgressEvent) => void;
  readonly onFindings: (results: Results) => void;
  end(): void;
} {
  const paint = paintOf(io);
  const moving = io.progressLine;
  let lastPrinted = 0;
  let stopping = false;
  const line = (text: string): void => {
    moving.clear();
    io.logPainted(text);
  };
  const isBad = ({ outcome }: CellResult): boolean => outcome === 'failed' || outcome === 'timeout';
  const isExpected = (result: CellResult): boolean =>
    isBad(result) && expected.cells.some((entry) => namesCell(entry, result.id));
  const onProgress = (raw: ProgressEvent): void => {
    const event = printableIn(raw);
    switch (event.kind) {
      case 'agent-ready': {
        const spoken = event.dialects.map(({ binding, version }) => `${binding} ${version}`).join(', ');
        line(`${paint.green('ready')}  ${event.agent}  ${paint.dim(`${event.about}; ${spoken}`)}`);
        break;
      }
      case 'agent-problem':
        line(`${paint.red('unusable')}  ${event.agent}  ${event.reason}`);
        break;
      case 'agent-ended':
        if (!stopping) line(`${paint.red('ended')}  ${event.agent}  ${event.how}`);
        break;
      case 'planned':
        line(`${event.cells} ${event.cells === 1 ? 'cell' : 'cells'} to run`);
        break;
      case 'cell-finished': {
        const { result, done, total } = event;
        const place = `[${String(done).padStart(String(total).length)}/${total}]`;
        // What nobody expected has a line of its own.
        if (isBad(result) && !isExpected(result))
          line(`${place} ${paint.red(result.outcome)}  ${result.id}  ${result.reason ?? ''}`);
        else if (moving.shown)
          moving.show(`${place} ${result.outcome}${isExpected(result) ? ' as expected' : ''}  ${result.id}`);
        else if (done === total || performance.now() - lastPrinted > 2000) {
          lastPrinted = performance.now();
          line(`${place} ${result.id}`);
        }
        break;
      }
      case 'note':
        line(`${paint.yellow('note')}  ${event.text}`);
        break;
      case 'stopping':
        stopping = true;
        break;
      case 'agent-starting':
      case 'agent-started':
      case 'cell-started':
        break;
    }
  };
  const brokenBefore = new Set<string>();
  /** A line for what nobody expected and was not broken before, however often it is. */
  const onFindings = ({ findings }: Results): void => {
    const broken = findings
      .filter(({ outcome }) => outcome === 'fail')
      .filter((finding) => !isExpectedBy(expected.findings, finding, scenarioOfCell))
      .map(({ rule, agent, party }) => printableIn(`${rule} by ${agent} (${party})`));
    const fresh = [...new Set(broken)].filter((each) => !brokenBefore.has(each));
    if (fresh.length === 0) return;
    for (const each of fresh) brokenBefore.add(each);
    const rest = fresh.length > 4 ? `, and ${fresh.length - 4} more` : '';
    line(`${paint.red('broken')}  ${fresh.slice(0, 4).join(', ')}${rest}`);
  };
  return { onProgress, onFindings, end: () => moving.clear() };
}
