// Writes what is on record of each rule: `npm run findings [-- AREA…]`. What changes in the files is to be read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { jobArguments } from '../../tools/job-arguments.ts';
import { areas, recordOf, rulesOf } from './areas.ts';
import { recordFindings } from './recorded-findings.ts';

const usage = `usage: npm run findings -- [AREA…]

Records what each rule of these areas (all where none is named) says of its examples, in test/mutation/findings/.
Areas: ${areas.join(', ')}`;
const { positionals: wanted } = jobArguments(usage, {}, { allowPositionals: true });
const strange = wanted.filter((area) => !areas.includes(area));
if (strange.length > 0) {
  process.stderr.write(`no area is named ${strange.join(', ')}\n\n${usage}\n`);
  process.exit(2);
}
mkdirSync(new URL('findings/', import.meta.url), { recursive: true });
for (const area of areas) {
  if (wanted.length > 0 && !wanted.includes(area)) continue;
  const rules = await rulesOf(area);
  writeFileSync(recordOf(area), `${JSON.stringify(recordFindings(rules), null, 1)}\n`);
}
