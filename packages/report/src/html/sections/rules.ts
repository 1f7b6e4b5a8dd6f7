import type { RuleStatus, RunReport } from '@plugfest/model';
import { ruleStatuses, ruleStatusNames } from '../../labels.ts';
import { html, type Markup } from '../markup.ts';
import { type Section, wire } from '../parts.ts';

export function rulesSection(report: RunReport): Section {
  const infos = new Map(report.rules.map((rule) => [rule.id, rule]));
  const { rules } = report.verdict;
  const tallies = ruleStatuses
    .map((status) => ({ status, number: rules.filter((rule) => rule.status === status).length }))
    .filter(({ number }) => number > 0);
  const exercised = rules.filter((rule) => rule.exercised > 0).length;
  // What needs attention is shown first; without JavaScript, everything is.
  const quiet: readonly RuleStatus[] = ['pass', 'not-exercised'];
  const loud = tallies.filter(({ status }) => !quiet.includes(status));
  const attention = loud.reduce((sum, { number }) => sum + number, 0);
  const button = (statuses: readonly RuleStatus[], label: string, number: number, chosen: boolean): Markup =>
    html`<button type="button" data-statuses="${statuses.join(' ')}" aria-pressed="${String(chosen)}">${label} ${number}</button>`;
  const sorted = [...rules].sort(
    (a, b) => ruleStatuses.indexOf(a.status) - ruleStatuses.indexOf(b.status) || (a.id < b.id ? -1 : 1),
  );
  return {
    id: 'rules',
    title: 'Rules',
    tally: `${exercised} of ${rules.length} exercised`,
    content: html`<div class="filters" role="group" aria-label="Show rules">${
      attention > 0 &&
      button(
        loud.map(({ status }) => status),
        'not clean',
        attention,
        true,
      )
    }${tallies.map(({ status, number }) => button([status], ruleStatusNames[status], number, attention === 0 && status === tallies[0]?.status))}${button(ruleStatuses, 'all', rules.length, false)}</div>
<div class="scroll"><table class="grid" id="rule-table"><thead><tr><th scope="col">rule</th><th scope="col">status</th><th scope="col" class="number">exercised</th><th scope="col" class="number">violations</th><th scope="col">level</th><th scope="col">party</th><th scope="col" class="wide">requirement</th><th scope="col">section</th></tr></thead><tbody>${sorted.map(
      (rule) => {
        const info = infos.get(rule.id);
        return html`<tr data-status="${rule.status}"><td class="mono">${wire(rule.id, 60)}</td><td class="status ${rule.status}">${ruleStatusNames[rule.status]}</td><td class="number">${rule.exercised}</td><td class="number">${rule.violations}</td><td>${info && wire(info.level, 20)}</td><td>${info && wire(info.party, 40)}</td><td class="wide">${info && wire(info.summary)}</td><td>${info && wire(info.section, 40)}</td></tr>`;
      },
    )}</tbody></table></div>`,
  };
}
