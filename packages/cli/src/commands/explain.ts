import { PlugfestError } from '@plugfest/model';
import { printable } from '@plugfest/report';
import type { CatalogueEntry } from '@plugfest/rules';
import { catalogue, corrections, loadRulebook } from '@plugfest/rules';
import type { Rule } from '@plugfest/verifier';
import { exampleText } from '@plugfest/verifier/examples';
import { Command } from 'commander';
import type { Io, Paint } from '../io.ts';
import { paintOf } from '../io.ts';

/** `plugfest explain ID`: one rule as a page. */
export default (io: Io): Command =>
  new Command('explain')
    .description('explain a rule: what holds, why, where it is said, how to mend a breach')
    .argument('<id>', 'rule id, e.g. SSE-010')
    .addHelpText('after', '\nExample:\n  plugfest explain SSE-010')
    .action(async (id: string) => {
      const entry = catalogue(await loadRulebook()).find((each) => each.id === id.toUpperCase());
      if (!entry)
        throw new PlugfestError('PLUGFEST_RULE_UNKNOWN', `No rule has the id "${id}"`, {
          hint: 'plugfest rules lists all.',
        });
      const paint = paintOf(io);
      io.out(entry.status === 'implemented' ? rulePage(entry.rule, paint) : rowPage(entry, paint));
    });

function rulePage(rule: Rule, paint: Paint): string {
  const { id, summary, level, party, scope, about, spec, bindings, fewerBindings } = rule;
  const { why, fix, messages, examples } = rule;
  const sections = Object.entries(spec).map(([version, section]) => `A2A ${version} section ${section}`);
  const fewer = Object.entries(fewerBindings ?? {}).map(
    ([version, some]) => `in ${version} only ${some.join(', ')}`,
  );
  const correction = corrections()[id];
  const [good] = examples.good;
  const [bad] = examples.bad;
  const lines = [
    paint.bold(`${id}  ${summary}`),
    '',
    `level     ${level}`,
    `party     ${party}`,
    `judged    per ${scope}${about === undefined ? '' : ` (${about.join(', ')})`}`,
    `spec      ${sections.join('\n          ')}`,
    `bindings  ${[bindings.join(', '), ...fewer].join('; ')}`,
    '',
    `${paint.bold('Why')}  ${why}`,
    `${paint.bold('Fix')}  ${fix}`,
    ...(correction === undefined ? [] : [`${paint.bold('Note')} ${correction}`]),
    '',
    paint.bold('Findings say'),
    ...Object.values(messages).map((text) => `  ${text}`),
    ...(good === undefined
      ? []
      : ['', paint.green('Clean, for example'), indented(printable(exampleText(good)))]),
    ...(bad === undefined
      ? []
      : ['', paint.red('Broken, for example'), indented(printable(exampleText(bad.example)))]),
  ];
  return `${lines.join('\n')}\n`;
}

function rowPage(entry: Exclude<CatalogueEntry, { status: 'implemented' }>, paint: Paint): string {
  const { id, row, status } = entry;
  const lines = [
    paint.bold(`${id}  ${row.condition}`),
    '',
    `level     ${row.level}`,
    `versions  ${row.versions}`,
    `spec      section ${row.spec}`,
    `status    ${status}: ${'reason' in entry ? entry.reason : 'no rule judges it'}`,
    ...('scenario' in entry ? [`scenario  ${entry.scenario}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');
