import { labJsonSchema } from '@plugfest/orchestrator';
import { loadRulebook } from '@plugfest/rules';
import { errorsPage } from './errors.ts';
import { rulePage, rulesIndex } from './rules.ts';
import { schemaPages } from './schemas.ts';

/** Every generated page: path from the repository's root, and text. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const book = await loadRulebook();
  return new Map([
    ['docs/errors.md', errorsPage()],
    ['docs/lab.schema.json', `${JSON.stringify(labJsonSchema(), null, 2)}\n`],
    ...schemaPages(),
    ['docs/rules/README.md', rulesIndex(book)],
    ...book.rules.map((rule) => [`docs/rules/${rule.id}.md`, rulePage(rule)] as const),
  ]);
}
