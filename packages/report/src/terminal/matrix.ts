import { letterGrid } from '../letter-grid.ts';
import { type Matrix, type Pairing, ratio, remarkMeanings, remarks, wireOf } from '../matrix.ts';
import type { Paint } from '../reporter.ts';
import { stateStyle } from './colours.ts';
import { columnsOf, pad, safe, width } from './layout.ts';

/** `brief`: of a matrix that is wider than a terminal, only what nobody expected is told by scenario. */
export function matrixLines(
  matrix: Matrix,
  { paint, brief }: { readonly paint: Paint; readonly brief: boolean },
): readonly string[] {
  const wires = [...new Set(matrix.pairings.map(wireOf))];
  const rows = matrix.clients.flatMap((client) =>
    wires
      .map((wire) => ({
        client,
        wire,
        pairings: matrix.servers.map((server) =>
          matrix.pairings.find(
            (pairing) => pairing.client === client && pairing.server === server && wireOf(pairing) === wire,
          ),
        ),
      }))
      .filter((row) => row.pairings.some((pairing) => pairing !== undefined)),
  );
  const layout = (named: number) => {
    const text = (pairing: Pairing | undefined): string =>
      pairing ? safe([ratio(pairing), ...remarks(pairing, named)].join(' '), 60) : '·';
    const clientColumns = Math.max(6, ...matrix.clients.map((name) => columnsOf(safe(name, 24))));
    const wireColumns = Math.max(4, ...wires.map(columnsOf));
    const columns = matrix.servers.map((server, index) =>
      Math.max(columnsOf(safe(server, 24)), ...rows.map((row) => columnsOf(text(row.pairings[index])))),
    );
    const total = clientColumns + wireColumns + columns.reduce((sum, column) => sum + column + 2, 4);
    return { text, clientColumns, wireColumns, columns, total };
  };
  const named = [2, 1, 0].find((names) => layout(names).total <= width);
  if (named === undefined) {
    const stained = matrix.pairings.filter(
      ({ state }) => state !== 'pass' && state !== 'unsupported' && !(brief && state === 'expected'),
    );
    return [
      ...letterGrid(matrix, {
        paint,
        width,
        pad,
        columnsOf,
        name: (text) => safe(text, 24),
        state: (state) => stateStyle(state, paint),
      }),
      ...(stained.length === 0 ? [] : ['', ...pairingLines({ ...matrix, pairings: stained }, paint)]),
    ];
  }
  const { text, clientColumns, wireColumns, columns } = layout(named);
  const heading = `  ${pad('client', clientColumns)}  ${pad('wire', wireColumns)}${matrix.servers
    .map((server, index) => `  ${pad(safe(server, 24), columns[index] ?? 0)}`)
    .join('')}`;
  let previous: string | undefined;
  const body = rows.map((row) => {
    const client = row.client === previous ? '' : safe(row.client, 24);
    previous = row.client;
    return `  ${pad(client, clientColumns)}  ${pad(row.wire, wireColumns)}${row.pairings
      .map((pairing, index) => {
        const padded = pad(text(pairing), columns[index] ?? 0);
        return `  ${pairing ? stateStyle(pairing.state, paint)(padded) : paint.dim(padded)}`;
      })
      .join('')}`;
  });
  return [paint.dim(heading.trimEnd()), ...body.map((line) => line.trimEnd())];
}

/** The letters in use. */
export function legendLines(matrix: Matrix, paint: Paint): readonly string[] {
  const letters = new Set(
    matrix.pairings.flatMap((pairing) => remarks(pairing, 0).map((remark) => remark.charAt(0))),
  );
  const legend = remarkMeanings.filter(([letter]) => letters.has(letter));
  if (legend.length === 0) return [];
  return ['', paint.dim(`  ${legend.map(([letter, meaning]) => `${letter} ${meaning}`).join(' · ')}`)];
}

/** One pairing a line. */
function pairingLines(matrix: Matrix, paint: Paint): readonly string[] {
  const names = matrix.pairings.map((one) => `${safe(one.client, 24)} → ${safe(one.server, 24)}`);
  const nameColumns = Math.max(0, ...names.map(columnsOf));
  const wireColumns = Math.max(0, ...matrix.pairings.map((one) => columnsOf(wireOf(one))));
  return matrix.pairings.map((pairing, index) => {
    const result = safe([ratio(pairing), ...remarks(pairing, 2)].join('  '), 60);
    return `  ${pad(names[index] ?? '', nameColumns)}  ${pad(wireOf(pairing), wireColumns)}  ${stateStyle(pairing.state, paint)(result)}`;
  });
}
