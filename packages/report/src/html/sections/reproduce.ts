import type { RunReport } from '@plugfest/model';
import { count } from '../../labels.ts';
import { stepsToReproduce } from '../../reproduce.ts';
import { html, type Markup } from '../markup.ts';
import { code, wire } from '../parts.ts';

/** How a stranger gets to the same verdict, and what exactly was judged. */
export function reproduceFooter(report: RunReport): Markup {
  const { run, verdict } = report;
  const gaps = verdict.capture.gaps;
  return html`<footer><h2 id="reproduce">How to reproduce</h2>
<div class="steps">${stepsToReproduce(report).map(({ about, command }) => html`<p>${about}</p><pre class="command">${wire(command, 2000)}</pre>`)}</div>
<dl class="pairs">
<dt>run</dt><dd>${code(run.id)}</dd>
<dt>lab</dt><dd>${code(run.lab)}, seed ${run.seed}, tracing ${run.tracing}</dd>
<dt>capture</dt><dd>${code(verdict.capture.root)}, ${count(gaps, 'gap')}</dd>
<dt>rulebook</dt><dd>${wire(verdict.rulebook.version, 60)}, ${code(verdict.rulebook.hash)}</dd>
<dt>made by</dt><dd>Plugfest ${wire(run.plugfest, 40)}, Node ${wire(run.node, 40)}</dd>
</dl></footer>`;
}
