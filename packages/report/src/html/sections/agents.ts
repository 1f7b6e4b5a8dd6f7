import type { RunReport } from '@plugfest/model';
import { bindingNames } from '../../labels.ts';
import { html } from '../markup.ts';
import { type Section, wire } from '../parts.ts';

export function agentsSection(report: RunReport): Section | undefined {
  if (report.agents.length === 0) return undefined;
  const linked = Map.groupBy(report.links, (one) => one.method);
  const methods = [...linked].map(([method, links]) => `${links.length} by ${method}`);
  return {
    id: 'agents',
    title: 'Agents',
    tally: String(report.agents.length),
    content: html`<div class="scroll"><table class="grid"><thead><tr><th scope="col">agent</th><th scope="col">about</th><th scope="col">versions</th><th scope="col">bindings</th><th scope="col">trace context</th><th scope="col" class="number">hops</th></tr></thead><tbody>${report.agents.map(
      (agent) =>
        html`<tr><th scope="row">${wire(agent.name, 80)}</th><td>${wire(agent.about, 200)}${agent.cardUrl !== undefined && html`<br><span class="dim mono">${wire(agent.cardUrl, 200)}</span>`}</td><td>${agent.versions.join(', ')}</td><td>${agent.bindings.map((binding) => bindingNames[binding]).join(', ')}</td><td class="status ${{ propagates: 'pass', restarts: 'warn', copies: 'warn', drops: 'warn', 'not-exercised': 'not-exercised' }[agent.propagation.verdict]}">${agent.propagation.verdict === 'not-exercised' ? 'not exercised' : agent.propagation.verdict}</td><td class="number">${agent.propagation.hops}</td></tr>`,
    )}</tbody></table></div>${methods.length > 0 && html`<p class="dim">Hops linked to their cause: ${methods.join(', ')}.</p>`}`,
  };
}
