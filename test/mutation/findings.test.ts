import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { areas, readRecord, recordOf, rulesOf } from './areas.ts';
import { asJson } from './as-json.ts';
import { recordFindings } from './recorded-findings.ts';

/*
 * What each rule says of its examples, word for word: where it points, what it expected and found. The files in
 * `findings/` are written by `npm run findings`, and what changes in them is to be read.
 */

describe.each(areas)('the rules of %s', (area) => {
  it('say what is on record', async () => {
    const rules = await rulesOf(area);
    const found = recordFindings(rules);
    if (process.env.PLUGFEST_UPDATE_FINDINGS !== undefined)
      writeFileSync(recordOf(area), `${JSON.stringify(found, null, 1)}\n`);
    const recorded = readRecord(area);
    expect(Object.keys(found).sort()).toEqual(Object.keys(recorded).sort());
    for (const [id, own] of Object.entries(found)) expect(asJson(own), id).toEqual(recorded[id]);
  }, 60_000);
});
