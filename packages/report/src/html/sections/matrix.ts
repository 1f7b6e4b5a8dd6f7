import type { CellResult, RunReport, Verdict } from '@plugfest/model';
import { bindingLetters, bindingNames, count, standingOf } from '../../labels.ts';
import {
  matrixOf,
  type Pairing,
  type PairingState,
  ratio,
  remarkMeanings,
  remarks,
  stateNames,
  stateSigns,
  wireOf,
} from '../../matrix.ts';
import { printable, shorten } from '../../printable.ts';
import { html, type Markup } from '../markup.ts';
import { link, type Section, wire } from '../parts.ts';

/** The cell that a reader of a pairing wants first: the worst. */
function worst(pairing: Pairing): CellResult | undefined {
  const order = ['failed', 'timeout', 'expected', 'not-run', 'ok', 'unsupported'];
  return [...pairing.cells].sort((a, b) => order.indexOf(standingOf(a)) - order.indexOf(standingOf(b)))[0];
}

/** The cell behind a pairing: the one with the breach that decides its state, else the worst. */
function cellToShow(pairing: Pairing, verdict: Verdict): CellResult | undefined {
  const breachIn = (expected: boolean): CellResult | undefined => {
    const cells = new Set<string | undefined>(
      verdict.findings
        .filter(
          ({ outcome, expectedBecause }) =>
            outcome === 'fail' && (expectedBecause !== undefined) === expected,
        )
        .map(({ cell }) => cell),
    );
    return pairing.cells.find(({ id }) => cells.has(id));
  };
  if (pairing.state === 'breach') return breachIn(false);
  return pairing.state === 'expected' && pairing.counts.expected === 0 ? breachIn(true) : worst(pairing);
}

function pairingLink(pairing: Pairing, verdict: Verdict): Markup {
  const cell = cellToShow(pairing, verdict);
  // Spaces are where the remarks of a narrow column may break.
  const notes = remarks(pairing, 2).map((remark) => remark.replace(':', ' ').replaceAll(',', ', '));
  return html`<a class="pairing is-${pairing.state}" href="${link('cell', cell?.id ?? '')}" title="${shorten(printable(`${pairing.client} calls ${pairing.server}`), 120)}, ${wireOf(pairing)}: ${stateNames[pairing.state]}"><span class="badge">${bindingLetters[pairing.binding]}</span><span class="wire"><span class="name">${bindingNames[pairing.binding]} </span>${pairing.version}</span><span class="ratio${pairing.applicable === 0 ? ' idle' : ''}">${ratio(pairing)}</span><span class="glyph">${stateSigns[pairing.state]}</span>${
    notes.length > 0 && html`<span class="remarks">${wire(notes.join(' · '), 120)}</span>`
  }</a>`;
}

export function matrixSection(report: RunReport): Section {
  const matrix = matrixOf(report);
  const compact = matrix.servers.length > 4;
  const row = (client: string): Markup =>
    html`<tr><th scope="row">${wire(client, 60)}</th>${matrix.servers.map((server) => {
      const pairings = matrix.pairings.filter((one) => one.client === client && one.server === server);
      return pairings.length === 0
        ? html`<td class="none">·</td>`
        : html`<td>${
            // The rows of a wide matrix are tall, and its head is soon out of sight.
            compact && html`<span class="server" aria-hidden="true">${wire(server, 60)}</span>`
          }${pairings.map((pairing) => pairingLink(pairing, report.verdict))}</td>`;
    })}</tr>`;
  const letters = new Set(
    matrix.pairings.flatMap((one) => remarks(one, 0).map((remark) => remark.charAt(0))),
  );
  const legend = html`<ul class="legend"><li>worked / applicable</li>${[...new Set(matrix.pairings.map((one) => one.binding))].map((binding) => html`<li><b>${bindingLetters[binding]}</b> ${bindingNames[binding]}</li>`)}${Object.entries(
    stateSigns,
  )
    .filter(([state]) => matrix.pairings.some((pairing) => pairing.state === state))
    .map(
      ([state, glyph]) => html`<li><b>${glyph}</b> ${stateNames[state as PairingState]}</li>`,
    )}${remarkMeanings
    .filter(([letter]) => letters.has(letter))
    .map(([letter, meaning]) => html`<li><b>${letter}</b> ${meaning}</li>`)}</ul>`;
  const content =
    matrix.pairings.length === 0
      ? html`<p>No cells: this run drove no agent against another.</p>`
      : html`${compact && legend}<div class="scroll${compact ? ' wide' : ''}"><table class="matrix${compact ? ' compact' : ''}">
<thead><tr><td class="corner"><span>client ↓</span> <span>server →</span></td>${matrix.servers.map((server) => html`<th scope="col">${wire(server, 60)}</th>`)}</tr></thead>
<tbody>${matrix.clients.map(row)}</tbody></table></div>
${!compact && legend}
<noscript><p class="notice">The details of a cell need JavaScript. The same data is in report.json.</p></noscript>`;
  return { id: 'matrix', title: 'Matrix', tally: count(report.cells.length, 'cell'), content };
}
