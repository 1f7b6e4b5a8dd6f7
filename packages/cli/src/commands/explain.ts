import { PlugfestError } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { Command } from 'commander';
import type { Io } from '../io.ts';
import { paintOf } from '../io.ts';

/** `plugfest explain ID`: one rule as a page. */
export default (io: Io): Command =>
  new Command('explain')
    .description('explain a rule: what holds, why, how to mend a breach')
    .argument('<id>', 'rule id, e.g. SSE-010')
    .addHelpText('after', '\nExample:\n  plugfest explain SSE-010')
    .action(async (id: string) => {
      const { rules } = await loadRulebook();
      const rule = rules.find((each) => each.id === id.toUpperCase());
      if (!rule)
        throw new PlugfestError('PLUGFEST_RULE_UNKNOWN', `No rule has the id "${id}"`, {
          hint: 'plugfest rules lists all.',
        });
      const paint = paintOf(io);
      const versions = Object.entries(rule.spec).map(
        ([version, section]) => `A2A ${version} section ${section}`,
      );
      io.out(`${paint.bold(`${rule.id}  ${rule.summary}`)}\n\n`);
      io.out(
        `level     ${rule.level}\nparty     ${rule.party}\nspec      ${versions.join('\n          ')}\n`,
      );
      io.out(
        `bindings  ${rule.bindings.join(', ')}\n\nWhy  ${rule.why}\nFix  ${rule.fix}\n\nFindings say:\n`,
      );
      for (const text of Object.values(rule.messages)) io.out(`  ${text}\n`);
      const [bad] = rule.examples.bad;
      if (bad) io.out(`\nBroken, for example:\n${JSON.stringify(bad.example, null, 2)}\n`);
    });
