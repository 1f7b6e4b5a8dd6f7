import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchangeId, runId } from '@plugfest/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCaptureSource } from './reader/open.ts';
import { readSpans, type StoredSpan, writeSpans } from './spans.ts';
import { recordEdge, recordExchange } from './testing/traffic.ts';
import { openCapture } from './writer/open.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  file = join(folder, 'capture.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const span = (name: string, startNs: number): StoredSpan => ({
  traceId: 'a'.repeat(32),
  spanId: String(startNs).padStart(16, '0'),
  name,
  exchange: exchangeId('x1'),
  startNs,
  endNs: startNs + 10,
  attributes: { 'a2a.method': 'SendMessage', n: 1 },
});

const rootOf = (): string => {
  const source = openCaptureSource(file);
  try {
    return source.info.root;
  } finally {
    source.close();
  }
};

describe('spans', () => {
  it('are stored beside the traffic, replace earlier ones, and do not change the root', async () => {
    const sink = openCapture({ file, run: runId('run-1') });
    recordEdge(sink);
    recordExchange(sink, { id: 'x1' });
    await sink.flush();
    expect(() => writeSpans(file, [])).toThrow(expect.objectContaining({ code: 'PLUGFEST_CAPTURE_BUSY' }));
    await sink.close();
    const root = rootOf();
    writeSpans(file, [span('old', 1)]);
    writeSpans(file, [span('second', 20), { ...span('first', 10), parentSpanId: 'b'.repeat(16) }]);
    expect(readSpans(file)).toEqual([
      { ...span('first', 10), parentSpanId: 'b'.repeat(16) },
      span('second', 20),
    ]);
    expect(rootOf()).toBe(root);
    expect(readdirSync(folder)).toEqual(['capture.sqlite']);
  });

  it('are refused for a file that is not there', () => {
    expect(() => writeSpans(file, [])).toThrow(
      expect.objectContaining({ code: 'PLUGFEST_CAPTURE_NOT_FOUND' }),
    );
  });
});
