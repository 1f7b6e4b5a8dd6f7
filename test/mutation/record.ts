// Writes what is on record of each rule: `npm run findings [-- AREA…]`. What changes in the files is to be read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { areas, recordOf, rulesOf } from './areas.ts';
import { recordFindings } from './recorded-findings.ts';

const wanted = process.argv.slice(2);
mkdirSync(new URL('findings/', import.meta.url), { recursive: true });
for (const area of areas) {
  if (wanted.length > 0 && !wanted.includes(area)) continue;
  const rules = await rulesOf(area);
  writeFileSync(recordOf(area), `${JSON.stringify(recordFindings(rules), null, 1)}\n`);
}
