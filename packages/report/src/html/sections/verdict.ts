import type { RunReport } from '@plugfest/model';
import { duration } from '../../labels.ts';
import { type Tone, toneOf, toneWords } from '../../sentence.ts';
import { html, type Markup, trusted } from '../markup.ts';
import { wire } from '../parts.ts';

const icons: Readonly<Record<Tone, Markup>> = {
  pass: trusted('<path d="M14 25l7 7 14-15"/>'),
  fail: trusted('<path d="M16 16l16 16M32 16L16 32"/>'),
  error: trusted('<path d="M24 13v14M24 34v.5"/>'),
  caution: trusted('<path d="M24 13v14M24 34v.5"/>'),
  empty: trusted('<path d="M15 24h18"/>'),
};

/** The verdict in words, colour and shape, and how much was run. */
export function verdictHeader(report: RunReport): Markup {
  const tone = toneOf(report);
  const [first = '', ...rest] = report.sentence.replace(/\.$/, '').split('; ');
  const ran = report.cells.filter(
    (cell) => cell.outcome !== 'unsupported' && cell.outcome !== 'not-run',
  ).length;
  const { fail, warn, info } = report.verdict.summary;
  const exercised = report.verdict.rules.filter((rule) => rule.exercised > 0).length;
  const fact = (label: string, value: string, of?: string): Markup =>
    html`<div><dt>${label}</dt><dd>${value}${of === undefined ? '' : html`<span class="of"> of ${of}</span>`}</dd></div>`;
  const number = (value: number): string => value.toLocaleString('en');
  return html`<header class="verdict">
<p class="run-title">${wire(report.run.title)} · ${wire(report.run.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC'), 40)}</p>
<div class="verdict-line tone-${tone}">
<svg viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="23"/>${icons[tone]}</svg>
<div><h1><span class="word">${toneWords[tone]}</span>${wire(first, 600)}</h1>
${rest.length > 0 && html`<ul class="clauses">${rest.map((clause) => html`<li>${wire(clause, 600)}</li>`)}</ul>`}</div>
</div>
<dl class="facts">
${fact('cells run', number(ran), number(report.cells.length))}
${fact('rules exercised', number(exercised), number(report.verdict.rules.length))}
${fact('findings', number(fail + warn))}
${fact('notes, not scored', number(info))}
${fact('exchanges', number(report.verdict.capture.exchanges))}
${fact('duration', duration(report.run.durationMs))}
</dl>
</header>`;
}
