import type { RunReport } from '@plugfest/model';
import { causesOf, type Unexplained, unexplainedOf } from '../../causes.ts';
import { count, list, standingNames } from '../../labels.ts';
import { causeItem } from '../cause-item.ts';
import { html, type Markup } from '../markup.ts';
import { cellLinks, code, type Section, wire } from '../parts.ts';

export function causesSection(report: RunReport): Section {
  const causes = causesOf(report);
  const unexplained = unexplainedOf(report);
  const group = (title: string, outcome: string): Markup | undefined => {
    const own = causes.filter((cause) => cause.outcome === outcome);
    return own.length === 0
      ? undefined
      : html`<h3 class="sub">${title}</h3><ol class="causes">${own.map(causeItem)}</ol>`;
  };
  const threw = report.verdict.rules.filter((rule) => rule.error !== undefined);
  const failed = (title: string, groups: readonly Unexplained[]): Markup | undefined =>
    groups.length === 0
      ? undefined
      : html`<h3 class="sub">${title}</h3><ol class="causes">${groups.map(
          ({
            outcome,
            reason,
            cells,
            hints,
          }) => html`<li class="cause fail"><div class="who"><span class="agent">${standingNames[outcome]}</span><span class="level">${count(cells.length, 'cell')}</span></div>
<div><h3 class="what">${wire(reason, 1000)}</h3><dl class="pairs">${hints.length > 0 && html`<dt>see</dt><dd>${wire(list(hints), 200)}</dd>`}<dt>cells</dt><dd>${cellLinks(cells.map((cell) => cell.id))}</dd></dl></div></li>`,
        )}</ol>`;
  const faults = html`<h3 class="sub">Faults of Plugfest itself</h3><ol class="causes">${threw.map(
    (rule) =>
      html`<li class="cause fail"><div class="who"><span class="rule">${wire(rule.id, 60)}</span><span class="level">the rule threw</span></div><div>${code(rule.error ?? '')}</div></li>`,
  )}</ol>`;
  const nothing = causes.length + unexplained.length + threw.length === 0;
  return {
    id: 'causes',
    title: 'Causes',
    tally: count(causes.length + unexplained.length + threw.length, 'cause'),
    content: nothing
      ? html`<p>${report.verdict.rules.some((rule) => rule.exercised > 0) ? 'No rule was broken, and no cell failed unexpectedly.' : 'No rule was exercised, so none could break.'}</p>`
      : html`${group('Broken rules', 'fail')}${failed(
          'Failures that no broken rule explains',
          unexplained.filter(({ hints }) => hints.length === 0),
        )}${failed(
          'Failures beside a note or an expected finding',
          unexplained.filter(({ hints }) => hints.length > 0),
        )}${threw.length > 0 && faults}${group('Warnings', 'warn')}${group('Notes', 'info')}`,
  };
}
