import type { RunReport } from '@plugfest/model';
import { expectedCausesOf } from '../../causes.ts';
import { count, standingNames, standingOf } from '../../labels.ts';
import { causeItem } from '../cause-item.ts';
import { html } from '../markup.ts';
import { link, type Section, wire } from '../parts.ts';

export function expectedSection(report: RunReport): Section | undefined {
  const causes = expectedCausesOf(report);
  const cells = report.cells.filter((cell) => standingOf(cell) === 'expected');
  const stale = [
    ...report.verdict.staleExpectations.map((entry) => ({
      name: [entry.rule, entry.agent, entry.party, entry.scenario].filter(Boolean).join(' '),
      reason: entry.reason,
    })),
    ...report.staleCellExpectations.map((entry) => ({ name: entry.cell, reason: entry.reason })),
  ];
  if (causes.length + cells.length + stale.length === 0) return undefined;
  return {
    id: 'expected',
    title: 'Expected',
    tally: count(causes.length + cells.length + stale.length, 'entry', 'entries'),
    content: html`${
      stale.length > 0 &&
      html`<h3 class="sub">Expected, but did not happen</h3><ol class="causes">${stale.map(
        ({ name, reason }) =>
          html`<li class="cause fail"><div class="who"><span class="rule">${wire(name, 200)}</span></div><div>${wire(reason)}<p class="dim">Nothing matches this entry any more: remove it from the list.</p></div></li>`,
      )}</ol>`
    }${
      cells.length > 0 &&
      html`<h3 class="sub">Cells that failed as expected</h3><ol class="causes">${cells.map(
        (cell) =>
          html`<li class="cause expected"><div class="who"><a class="mono" href="${link('cell', cell.id)}">${wire(cell.id, 120)}</a></div><div>${wire(cell.reason ?? standingNames.failed)}<dl class="pairs"><dt>because</dt><dd>${wire(cell.expectedBecause ?? '')}</dd></dl></div></li>`,
      )}</ol>`
    }${causes.length > 0 && html`<h3 class="sub">Expected findings</h3><ol class="causes">${causes.map(causeItem)}</ol>`}`,
  };
}
