import type { Cause } from '../causes.ts';
import { count, levelText, place } from '../labels.ts';
import { html, type Markup } from './markup.ts';
import { cellLinks, code, link, wire } from './parts.ts';

/** One cause: what broke, who has to fix it, and where it was first seen. */
export function causeItem(cause: Cause): Markup {
  const { first } = cause;
  const pair = (label: string, value: Markup | undefined): Markup | undefined =>
    value && html`<dt>${label}</dt><dd>${value}</dd>`;
  const where = place(first.at);
  return html`<li class="cause ${cause.expectedBecause === undefined ? cause.outcome : 'expected'}">
<div class="who"><span class="rule">${wire(cause.rule, 60)}</span><span class="agent">${wire(cause.agent, 80)}</span><span>${cause.party}</span><span class="level">${wire(levelText(cause), 20)} · ${count(cause.count, 'time')}${cause.cells.length > 0 ? ` in ${count(cause.cells.length, 'cell')}` : ''}</span></div>
<div><h3 class="what">${wire(first.message, 1000)}</h3>
<dl class="pairs">
${pair('because', cause.expectedBecause === undefined ? undefined : wire(cause.expectedBecause))}
${pair('expected', first.expected === undefined ? undefined : code(first.expected))}
${pair('actual', first.actual === undefined ? undefined : code(first.actual))}
${pair('rule', cause.info && wire(cause.info.summary))}
${pair('why', cause.info && wire(cause.info.why))}
${pair('fix', cause.fix === undefined ? undefined : wire(cause.fix, 1000))}
${pair('spec', html`A2A ${wire(first.spec.version, 20)} section ${wire(first.spec.section, 60)}`)}
${pair('first seen', html`<a class="mono" href="${link('exchange', first.exchange)}">${wire(first.exchange, 80)}</a>${where !== '' && html` <span class="dim">${wire(where, 200)}</span>`}`)}
${pair('cells', cause.cells.length > 0 ? cellLinks(cause.cells) : undefined)}
${pair('also', cause.messages.length > 1 ? html`${cause.messages.slice(1, 4).map((message) => html`${wire(message, 200)} `)}${cause.messages.length > 4 && `and ${cause.messages.length - 4} other wordings`}` : undefined)}
</dl></div></li>`;
}
