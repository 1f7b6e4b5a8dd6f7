import type {
  Binding,
  CaptureSink,
  CaptureSource,
  Cell,
  CellOutcome,
  CellResult,
  ProtocolVersion,
} from '@plugfest/model';
import { cellId, isJsonObject } from '@plugfest/model';

/** A cell as its run knew it at the end, before anything was read from the capture. */
export type RecordedCell = Cell & Pick<CellResult, 'outcome'>;

const topic = 'cell';

const bindings: ReadonlySet<unknown> = new Set<Binding>(['JSONRPC', 'HTTP+JSON', 'GRPC']);
const versions: ReadonlySet<unknown> = new Set<ProtocolVersion>(['0.1', '0.2', '0.3', '1.0']);
const outcomes: ReadonlySet<unknown> = new Set<CellOutcome>([
  'ok',
  'failed',
  'unsupported',
  'not-run',
  'timeout',
]);

/** Puts the cells of a run into its capture, one note each, so that traces can be made from the capture alone. */
export function recordCells(sink: CaptureSink, cells: readonly CellResult[]): void {
  for (const { id, client, server, binding, version, scenario, outcome } of cells) {
    const text = JSON.stringify({ id, client, server, binding, version, scenario, outcome });
    sink.record({ kind: 'note', topic, text, cell: id });
  }
}

/**
 * The cells of a capture, in the order of their run; of one that was run again after an interruption, the last. A note
 * that is none of ours is no cell.
 */
export function recordedCells(source: CaptureSource): readonly RecordedCell[] {
  const cells = source.notes().flatMap((note) => (note.topic === topic ? (cellOf(note.text) ?? []) : []));
  return [...new Map(cells.map((cell) => [cell.id, cell])).values()];
}

function cellOf(text: string): RecordedCell | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { id, client, server, binding, version, scenario, outcome } = value;
  if (typeof id !== 'string' || typeof client !== 'string' || typeof server !== 'string') return undefined;
  if (typeof scenario !== 'string' || !outcomes.has(outcome)) return undefined;
  if (!bindings.has(binding) || !versions.has(version)) return undefined;
  return {
    id: cellId(id),
    client,
    server,
    binding: binding as Binding,
    version: version as ProtocolVersion,
    scenario,
    outcome: outcome as CellOutcome,
  };
}
