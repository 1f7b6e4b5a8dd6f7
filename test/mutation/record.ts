// Writes what is on record of each rule, and of the traffic of all: `npm run findings [-- AREA…]`. What changes in the files is to be read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { areas, kernelRecord, recordOf, rulesOf } from './areas.ts';
import { recordFindings } from './recorded-findings.ts';
import { recordTraffic } from './traffic.ts';

const wanted = process.argv.slice(2);
mkdirSync(new URL('findings/', import.meta.url), { recursive: true });
for (const area of areas) {
  if (wanted.length > 0 && !wanted.includes(area)) continue;
  const rules = await rulesOf(area);
  writeFileSync(recordOf(area), `${JSON.stringify(recordFindings(rules), null, 1)}\n`);
}
writeFileSync(kernelRecord, `${JSON.stringify(await recordTraffic(), null, 1)}\n`);
