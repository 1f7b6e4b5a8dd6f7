import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { redactionFilter } from '../redaction/filter.ts';
import { BodyIntake } from './body-intake.ts';
import type { Row } from './rows.ts';

/** What the file has of a body that comes in these pieces; a batch ends after each chunk whose number is in `batches`. */
async function stored(
  pieces: readonly Buffer[],
  headers: readonly string[],
  batches: ReadonlySet<number>,
): Promise<Buffer> {
  const filter = redactionFilter({}).body({ target: '/', headers, side: 'request', imported: false });
  const place = { exchange: 1, exchangeId: 'x', side: 'request', capBytes: 1e9 } as const;
  const intake = new BodyIntake(place, filter, false);
  const file = new Map<number, Buffer>();
  const settle = (): void => {
    const rows: Row[] = [];
    intake.settle(rows);
    for (const [kind, [seq, , , , , , bytes]] of rows)
      if (kind === 'chunk') file.set(Number(seq), Buffer.from((bytes ?? []) as Uint8Array));
  };
  let seq = 0;
  for (const bytes of pieces) {
    seq += 1;
    await intake.push({
      ...{ kind: 'chunk', seq, atNs: seq, side: 'request', size: bytes.byteLength },
      bytes: Buffer.from(bytes),
    } as never);
    if (batches.has(seq)) settle();
  }
  await intake.finish([], { seq: seq + 1, atNs: seq + 1 });
  settle();
  return Buffer.concat([...file].sort(([a], [b]) => a - b).map(([, bytes]) => bytes));
}

/** Cut where nothing is decided yet: within the head of gzip, behind it, and within the secret. */
const cut = (bytes: Buffer): Buffer[] =>
  [0, 3, 10, bytes.byteLength - 30, bytes.byteLength - 20].map((from, i, all) =>
    bytes.subarray(from, all[i + 1] ?? bytes.byteLength),
  );

const masked = (bytes: Buffer): string => bytes.toString().replace(/‹hmac:[0-9a-f]{20}›/, '***');

describe('a body whose secret is found late is stored as a whole, wherever batches end', () => {
  const text = (secret: string): string =>
    `{"mark":"${'<1>'.repeat(300)}","password":"${secret}","after":"the end"}`;
  const secret = 'planted-secret-nobody-knows';
  for (let batches = 0; batches < 32; batches += 1) {
    const ends = new Set([1, 2, 3, 4, 5].filter((_, i) => (batches >> i) & 1));
    const name = ends.size === 0 ? 'in one' : `after ${[...ends].join(', ')}`;
    it(`${name}: compressed`, async () => {
      const body = await stored(cut(gzipSync(text(secret))), ['Content-Encoding', 'gzip'], ends);
      expect(masked(gunzipSync(body))).toBe(text('***'));
    });
    it(`${name}: as it is`, async () => {
      expect(masked(await stored(cut(Buffer.from(text(secret))), [], ends))).toBe(text('***'));
    });
  }
});
