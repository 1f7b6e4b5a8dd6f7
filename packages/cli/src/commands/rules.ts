import { matchesGlob } from 'node:path';
import { PlugfestError } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';

/** `plugfest rules [GLOB]`: the rulebook, as a table or as JSON. */
export default (io: Io): Command =>
  new Command('rules')
    .description('list the rules of the rulebook')
    .argument('[glob]', 'rule id or glob, e.g. "SSE-*"', '*')
    .addOption(new Option('--format <format>', 'output').choices(['text', 'json']).default('text'))
    .addHelpText('after', '\nExample:\n  plugfest rules "HOOK-*"')
    .action(async (glob: string, { format }: { readonly format: 'text' | 'json' }) => {
      const book = await loadRulebook();
      const rules = book.rules.filter((rule) => matchesGlob(rule.id, glob));
      if (rules.length === 0)
        throw new PlugfestError('PLUGFEST_RULE_UNKNOWN', `No rule matches "${glob}"`, {
          hint: 'plugfest rules lists all.',
        });
      if (format === 'json') {
        const rows = rules.map(({ id, level, party, summary, spec, bindings, scope, why, fix }) => ({
          id,
          level,
          party,
          summary,
          spec,
          bindings,
          scope,
          why,
          fix,
        }));
        io.out(
          `${JSON.stringify({ rulebook: { version: book.version, hash: book.hash }, rules: rows }, null, 2)}\n`,
        );
        return;
      }
      for (const { id, level, party, summary } of rules)
        io.out(`${id.padEnd(10)} ${level.padEnd(6)} ${party.padEnd(16)} ${summary}\n`);
      io.out(`\n${rules.length} rules, rulebook ${book.version} (${book.hash.slice(0, 19)}…)\n`);
    });
