import type { RunReport } from '@plugfest/model';
import { count } from '../../labels.ts';
import { html } from '../markup.ts';
import { cellLinks, type Section, wire } from '../parts.ts';

export function bypassSection(report: RunReport): Section | undefined {
  if (report.bypass.length === 0) return undefined;
  return {
    id: 'bypass',
    title: 'Bypass',
    tally: count(report.bypass.length, 'observation'),
    content: html`<p>Traffic that reached an agent without passing the proxy is not in the capture and was not judged.</p>
<div class="scroll"><table class="grid"><thead><tr><th scope="col">agent</th><th scope="col">noticed by</th><th scope="col">detail</th><th scope="col">cell</th></tr></thead><tbody>${report.bypass.map(
      (seen) =>
        html`<tr><th scope="row">${wire(seen.agent, 80)}</th><td>${seen.method}</td><td>${wire(seen.detail, 600)}</td><td>${seen.cell !== undefined && cellLinks([seen.cell])}</td></tr>`,
    )}</tbody></table></div>`,
  };
}
