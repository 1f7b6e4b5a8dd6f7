import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchangeId, runId } from '@plugfest/model';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Batch, isReusable } from '../packed/batch.ts';
import { openCaptureSource } from '../reader/open.ts';
import { bodyOf, eventsOf, recordEdge } from '../testing/traffic.ts';
import { openCapture } from './open.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a batch takes the buffer of an earlier one, but not for a chunk that does not fit', () => {
  const used = new Batch(0).seal().buffer;
  expect(isReusable(used)).toBe(true);
  expect(new Batch(1000, used).seal().buffer).toBe(used);
  const large = new Batch(1024 * 1024, used);
  expect(large.fits(1024 * 1024)).toBe(true);
  const { buffer } = large.seal();
  expect(isReusable(buffer)).toBe(false);
});

for (const unsafeRaw of [false, true])
  it(`what goes on over many batches is not written over by later ones (${unsafeRaw ? 'raw' : 'redacting'})`, async () => {
    const file = join(folder, 'capture.sqlite');
    const sink = openCapture({ file, run: runId('run'), unsafeRaw });
    recordEdge(sink);
    // Each begins with what may yet turn out to be a secret, so that it is held back.
    const texts = Array.from(
      { length: 40 },
      (_, i) => `{"tok${i}":"${`${i}.`.repeat(900)}","token":${' '.repeat(3000)}"`,
    );
    const pieceOf = (i: number, part: number): Buffer => {
      const text = Buffer.from(texts[i] ?? '');
      const size = Math.ceil(text.byteLength / 8);
      return text.subarray(part * size, (part + 1) * size);
    };
    const id = (i: number) => exchangeId(`long-${i}`);
    for (const [i] of texts.entries())
      for (const event of eventsOf({ id: id(i), end: 'open' })) sink.record(event);
    for (let part = 0; part < 8; part += 1) {
      for (const [i] of texts.entries())
        sink.record({ kind: 'chunk', exchange: id(i), side: 'response', bytes: pieceOf(i, part) });
      // Other traffic fills the buffers that were handed back with something else.
      for (let i = 0; i < 300; i += 1)
        for (const event of eventsOf({ id: `${part}-${i}`, request: { chunks: [Buffer.alloc(900, '#')] } }))
          sink.record(event);
      await sink.flush();
    }
    for (const [i] of texts.entries()) {
      sink.record({ kind: 'body-end', exchange: id(i), side: 'response' });
      sink.record({ kind: 'end', exchange: id(i), end: 'complete' });
    }
    await sink.close();
    const source = openCaptureSource(file);
    const stored = new Map(
      [...source.exchanges()].map((each) => [String(each.id), bodyOf(each, 'response')]),
    );
    source.close();
    for (const [i, text] of texts.entries()) expect(stored.get(`long-${i}`)?.toString()).toBe(text);
  });
