import type { RunReport } from '@plugfest/model';
import { changeText, comparisonSentence, directionSigns, worstFirst } from '../../comparison.ts';
import { count } from '../../labels.ts';
import { html, type Markup } from '../markup.ts';
import { cellLinks, link, type Section, wire } from '../parts.ts';

const shownChanges = 200;

/** What became of the cells of an earlier run. */
export function comparisonSection({ comparison }: RunReport): Section | undefined {
  if (comparison === undefined) return undefined;
  const { changes, added, removed } = comparison;
  const ordered = worstFirst(comparison);
  const rest = ordered.length - shownChanges;
  const more = (ids: readonly string[], what: string): Markup | false =>
    ids.length > 0 && html`<p>${count(ids.length, 'cell')} ${what}: ${cellLinks(ids, 12)}</p>`;
  return {
    id: 'comparison',
    title: 'Changes',
    tally: count(changes.length, 'cell'),
    content: html`<p>Since the run of <bdi>${wire(comparison.with.startedAt, 40)}</bdi>: ${comparisonSentence(comparison)}</p>
${
  ordered.length > 0 &&
  html`<div class="scroll"><table class="grid"><thead><tr><th scope="col"></th><th scope="col">cell</th><th scope="col">what changed</th></tr></thead><tbody>${ordered
    .slice(0, shownChanges)
    .map(
      (change) =>
        html`<tr class="is-${change.direction}"><td>${directionSigns[change.direction]}</td><th scope="row"><a class="mono" href="${link('cell', change.cell)}">${wire(change.cell, 120)}</a></th><td>${wire(changeText(change), 400)}</td></tr>`,
    )}</tbody></table></div>`
}${rest > 0 && html`<p class="dim">and ${count(rest, 'more change')}, all in report.json</p>`}
${more(added, 'only in this run')}${
  removed.length > 0 &&
  html`<p>${count(removed.length, 'cell')} only in the earlier run: ${wire(removed.slice(0, 12).join(', '), 2000)}</p>`
}`,
  };
}
