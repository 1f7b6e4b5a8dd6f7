import { faultsJsonSchema, labJsonSchema } from '@plugfest/orchestrator';
import { loadFaultKinds } from '@plugfest/proxy';
import { loadRulebook } from '@plugfest/rules';
import { errorsPage } from './errors.ts';
import { faultsPage } from './faults.ts';
import { rulePage, rulesIndex } from './rules.ts';
import { schemaPages } from './schemas.ts';

/** Every generated page: path from the repository's root, and text. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const book = await loadRulebook();
  const kinds = await loadFaultKinds();
  return new Map([
    ['docs/errors.md', errorsPage()],
    ['docs/faults.md', faultsPage(kinds)],
    ['docs/faults.schema.json', `${JSON.stringify(faultsJsonSchema(kinds), null, 2)}\n`],
    ['docs/lab.schema.json', `${JSON.stringify(labJsonSchema(kinds), null, 2)}\n`],
    ...schemaPages(),
    ['docs/rules/README.md', rulesIndex(book)],
    ...book.rules.map((rule) => [`docs/rules/${rule.id}.md`, rulePage(rule)] as const),
  ]);
}
