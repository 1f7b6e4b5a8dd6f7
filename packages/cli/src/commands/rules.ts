import { globMatches, PlugfestError } from '@plugfest/model';
import type { CatalogueEntry, CatalogueStatus } from '@plugfest/rules';
import { catalogue, loadRulebook } from '@plugfest/rules';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';

const statuses = ['implemented', 'probe', 'planned', 'excluded'] as const;

interface RulesOptions {
  readonly format: 'text' | 'json';
  readonly status?: (typeof statuses)[number];
}

/** `plugfest rules [GLOB]`: the rulebook and what became of each requirement, as a table or as JSON. */
export default (io: Io): Command =>
  new Command('rules')
    .description('list the rules, and the requirements that no rule judges')
    .argument('[glob]', 'rule id or glob, e.g. "SSE-*"', '*')
    .addOption(new Option('--status <status>', 'only these').choices(statuses))
    .addOption(new Option('--format <format>', 'output').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Status: implemented: a rule judges it; probe: a scenario asks the agent; planned: a scenario will;
excluded: nothing on the wire decides it. The last three say why. A level of theirs with † follows from
a schema or an example, one with ‡ is on a topic page only.

Examples:
  plugfest rules "HOOK-*"
  plugfest rules --status planned`,
    )
    .action(async (glob: string, { format, status }: RulesOptions) => {
      const book = await loadRulebook();
      const matching = catalogue(book).filter(({ id }) => globMatches(glob.toUpperCase(), id));
      if (matching.length === 0)
        throw new PlugfestError('PLUGFEST_RULE_UNKNOWN', `No rule matches "${glob}"`, {
          hint: 'plugfest rules lists all.',
        });
      const entries = matching.filter((entry) => status === undefined || entry.status === status);
      if (format === 'json') {
        const rulebook = { version: book.version, hash: book.hash };
        const listing = {
          rulebook,
          counts: countsOf(matching),
          areas: areasOf(matching),
          rules: entries.map(asJson),
        };
        io.out(`${JSON.stringify(listing, null, 2)}\n`);
        return;
      }
      for (const entry of entries) io.out(`${asLine(entry)}\n`);
      const counts = Object.entries(countsOf(matching)).map(([name, count]) => `${count} ${name}`);
      io.out(`\n${counts.join(', ')}; rulebook ${book.version} (${book.hash.slice(0, 19)}…)\n`);
    });

function asLine(entry: CatalogueEntry): string {
  const status = entry.status.padEnd(12);
  if (entry.status !== 'implemented') {
    const reason = 'reason' in entry ? entry.reason : '';
    return `${entry.id.padEnd(10)} ${status} ${entry.row.level.padEnd(8)} ${entry.row.condition} (${reason})`;
  }
  const { id, level, party, summary } = entry.rule;
  return `${id.padEnd(10)} ${status} ${level.padEnd(8)} ${party.padEnd(16)} ${summary}`;
}

function asJson(entry: CatalogueEntry): object {
  if (entry.status !== 'implemented') return entry;
  const { level, party, summary, spec, bindings, fewerBindings, scope, messages, why, fix } = entry.rule;
  return {
    id: entry.id,
    status: entry.status,
    ...{ level, party, summary, spec, bindings, fewerBindings, scope, messages, why, fix },
    ...(entry.row === undefined ? {} : { row: entry.row }),
  };
}

type Counts = Partial<Record<CatalogueStatus, number>>;

function countsOf(entries: readonly CatalogueEntry[]): Counts {
  const counts: Counts = {};
  for (const { status } of entries) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function areasOf(entries: readonly CatalogueEntry[]): Record<string, Counts> {
  const areas = Map.groupBy(entries, ({ id }) => id.slice(0, id.indexOf('-')));
  return Object.fromEntries([...areas].map(([area, own]) => [area, countsOf(own)]));
}
