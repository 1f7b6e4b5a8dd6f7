import type { RunReport } from '@plugfest/model';
import { count, standingLetters, standingNames, standingOf } from '../../labels.ts';
import { matrixOf, type Pairing, wireOf } from '../../matrix.ts';
import { printable, shorten } from '../../printable.ts';
import { html, type Markup } from '../markup.ts';
import { link, type Section, wire } from '../parts.ts';

export function scenariosSection(report: RunReport): Section | undefined {
  const { pairings } = matrixOf(report);
  if (pairings.length === 0) return undefined;
  const scenarios = [...new Set(report.cells.map((cell) => cell.scenario))];
  const broken = new Set<string | undefined>(
    report.verdict.findings
      .filter((finding) => finding.outcome === 'fail' && finding.expectedBecause === undefined)
      .map((finding) => finding.cell),
  );
  const entry = (pairing: Pairing, scenario: string): Markup => {
    const cell = pairing.cells.find((one) => one.scenario === scenario);
    if (!cell) return html`<td><span class="dim">·</span></td>`;
    const standing = standingOf(cell);
    const breach = standing === 'ok' && broken.has(cell.id);
    const title = `${scenario}: ${standingNames[standing]}${breach ? ', but broke a MUST' : ''}`;
    return html`<td><a class="s-${standing}${breach ? ' broke' : ''}" href="${link('cell', cell.id)}" title="${shorten(printable(title), 200)}">${breach ? '!' : standingLetters[standing]}</a></td>`;
  };
  return {
    id: 'scenarios',
    title: 'Scenarios',
    tally: count(scenarios.length, 'scenario'),
    content: html`<div class="scroll"><table class="scenarios"><thead><tr><th scope="col">client → server</th><th scope="col">wire</th>${scenarios.map(
      (scenario) => html`<th scope="col" class="scenario"><span>${wire(scenario, 40)}</span></th>`,
    )}</tr></thead><tbody>${pairings.map(
      (pairing) =>
        html`<tr><th scope="row">${wire(pairing.client, 40)} → ${wire(pairing.server, 40)}</th><th scope="row" class="dim">${wireOf(pairing)}</th>${scenarios.map((scenario) => entry(pairing, scenario))}</tr>`,
    )}</tbody></table></div>
<ul class="legend">${(Object.keys(standingLetters) as (keyof typeof standingLetters)[])
      .filter((standing) => report.cells.some((cell) => standingOf(cell) === standing))
      .map((standing) => html`<li><b>${standingLetters[standing]}</b> ${standingNames[standing]}</li>`)}${
      report.cells.some((cell) => cell.outcome === 'ok' && broken.has(cell.id)) &&
      html`<li><b>!</b> worked, but broke a MUST</li>`
    }</ul>`,
  };
}
