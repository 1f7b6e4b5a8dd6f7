import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RunReport } from '@plugfest/model';
import { printable, shorten } from '../printable.ts';
import { toneOf, toneWords } from '../sentence.ts';
import { pageData, sizeLimit } from './data.ts';
import { html, jsonData, trusted } from './markup.ts';
import { clientScript } from './script.ts';
import { agentsSection } from './sections/agents.ts';
import { bypassSection } from './sections/bypass.ts';
import { causesSection } from './sections/causes.ts';
import { comparisonSection } from './sections/comparison.ts';
import { expectedSection } from './sections/expected.ts';
import { matrixSection } from './sections/matrix.ts';
import { reproduceFooter } from './sections/reproduce.ts';
import { rulesSection } from './sections/rules.ts';
import { runRemarksSection } from './sections/run-remarks.ts';
import { scenariosSection } from './sections/scenarios.ts';
import { verdictHeader } from './sections/verdict.ts';

const asset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = asset('page.css');
const script = clientScript();

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, nothing is sent; only our own style sheet and script count. */
const policy = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The page of a run: one file, no network, nothing executed that came from the wire. */
export function renderPage(report: RunReport, limit: number = sizeLimit): string {
  const data = pageData(report, limit);
  const sections = [
    matrixSection(report),
    comparisonSection(report),
    causesSection(report),
    scenariosSection(report),
    agentsSection(report),
    rulesSection(report),
    expectedSection(report),
    bypassSection(report),
    runRemarksSection(report),
  ].filter((section) => section !== undefined);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Plugfest">
<title>${toneWords[toneOf(report)]} · ${shorten(printable(report.run.title), 120)}</title>
<style>${trusted(style)}</style>
</head>
<body>
${verdictHeader(report)}
<nav class="sections" aria-label="Sections"><ul>${sections.map(
    ({ id, title, tally }) =>
      html`<li><a href="#${id}">${title}</a>${tally !== undefined && html` <span class="n">${/^\d[\d,]*/.exec(tally)?.[0] ?? ''}</span>`}</li>`,
  )}<li><a href="#reproduce">Reproduce</a></li></ul></nav>
<main>
${sections.map(
  ({
    id,
    title,
    tally,
    content,
  }) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}${tally !== undefined && html`<span class="tally">${tally}</span>`}</h2>
${content}</section>
`,
)}</main>
${reproduceFooter(report)}
<dialog id="drawer" aria-labelledby="drawer-title"></dialog>
<script type="application/json" id="data">${jsonData(data)}</script>
<script>${trusted(script)}</script>
</body>
</html>
`;
  return page.text;
}
