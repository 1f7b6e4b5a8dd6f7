import {
  type Matrix,
  type Pairing,
  type PairingState,
  stateNames,
  stateSigns,
  wireLetter,
  wireOf,
} from './matrix.ts';
import type { Paint } from './reporter.ts';

/** How text is laid out on a terminal. */
export interface GridStyle {
  readonly paint: Paint;
  /** Columns in all. */
  readonly width: number;
  pad(text: string, columns: number): string;
  columnsOf(text: string): number;
  /** A name from the wire, made printable. */
  name(text: string): string;
  state(state: PairingState): (text: string) => string;
}

/**
 * Clients by servers, with a letter for each binding and version: alone where all worked, else with a sign. For labs of
 * more agents than a table with scenario names has room for. Servers that do not fit beside each other follow below.
 */
export function letterGrid(matrix: Matrix, style: GridStyle): readonly string[] {
  const { paint, width, pad, columnsOf, name, state } = style;
  const wires = [...new Set(matrix.pairings.map(wireOf))];
  const letters = wires
    .map((wire) => matrix.pairings.find((pairing) => wireOf(pairing) === wire))
    .flatMap((one) => one ?? []);
  const at = new Map(
    matrix.pairings.map((pairing) => [keyOf(pairing.client, pairing.server, wireOf(pairing)), pairing]),
  );
  const signOf = (pairing: Pairing): string =>
    wireLetter(pairing) + (pairing.state === 'pass' ? '' : stateSigns[pairing.state]);
  const entries = (client: string, server: string): readonly (Pairing | undefined)[] =>
    wires.map((wire) => at.get(keyOf(client, server, wire)));
  const columnOf = (server: string): number => {
    const widest = Math.max(
      ...matrix.clients.map((client) => columnsOf(plainText(entries(client, server), signOf))),
    );
    return Math.max(columnsOf(name(server)), widest);
  };
  const clientColumns = Math.max(6, ...matrix.clients.map((client) => columnsOf(name(client))));
  const lines: string[] = [];
  for (const servers of chunksThatFit(matrix.servers, columnOf, width - clientColumns - 2)) {
    if (lines.length > 0) lines.push('');
    const heading = servers.map((server) => `  ${pad(name(server), columnOf(server))}`).join('');
    lines.push(paint.dim(`  ${pad('client', clientColumns)}${heading}`.trimEnd()));
    for (const client of matrix.clients) {
      const cells = servers.map((server) => {
        const found = entries(client, server);
        const text = plainText(found, signOf);
        const painted = found
          .flatMap((pairing) => (pairing ? [state(pairing.state)(signOf(pairing))] : []))
          .join(' ');
        return `  ${painted === '' ? paint.dim('·') : painted}${' '.repeat(Math.max(0, columnOf(server) - columnsOf(text)))}`;
      });
      lines.push(`  ${pad(name(client), clientColumns)}${cells.join('')}`.trimEnd());
    }
  }
  const signs = [...new Set(matrix.pairings.map((pairing) => pairing.state))].filter((one) => one !== 'pass');
  const legend = [
    ...letters.map((pairing) => `${wireLetter(pairing)} ${wireOf(pairing)}`),
    'alone: all worked',
    ...signs.map((one) => `${stateSigns[one]} ${stateNames[one]}`),
  ];
  return [...lines, '', ...folded(legend, width - 2).map((line) => paint.dim(`  ${line}`))];
}

function plainText(pairings: readonly (Pairing | undefined)[], signOf: (pairing: Pairing) => string): string {
  return pairings.flatMap((pairing) => (pairing ? [signOf(pairing)] : [])).join(' ') || '·';
}

function chunksThatFit(
  servers: readonly string[],
  columnOf: (server: string) => number,
  width: number,
): readonly (readonly string[])[] {
  const chunks: string[][] = [];
  let left = 0;
  for (const server of servers) {
    const columns = columnOf(server) + 2;
    const last = chunks.at(-1);
    if (last === undefined || columns > left) {
      chunks.push([server]);
      left = width - columns;
    } else {
      last.push(server);
      left -= columns;
    }
  }
  return chunks;
}

function folded(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 3 + word.length <= width)
      lines[lines.length - 1] = `${last} · ${word}`;
    else lines.push(word);
  }
  return lines;
}

const keyOf = (client: string, server: string, wire: string): string =>
  JSON.stringify([client, server, wire]);
