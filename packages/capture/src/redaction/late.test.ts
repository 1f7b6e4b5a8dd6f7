import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaptureEvent, exchangeId, runId } from '@plugfest/model';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCaptureSource } from '../reader/open.ts';
import { bodyOf, eventsOf, recordEdge } from '../testing/traffic.ts';
import { openCapture } from '../writer/open.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([false, true])(
  'a secret that goes on after the early end of its exchange is not stored; batch between: %s',
  async (batch) => {
    const file = join(folder, 'capture.sqlite');
    const sink = openCapture({ file, run: runId('run') });
    recordEdge(sink);
    const id = exchangeId('x1');
    const piece = (text: string): CaptureEvent => ({
      ...{ kind: 'chunk', exchange: id, side: 'request' },
      bytes: Buffer.from(text),
    });
    // The callee has answered in full before it had the whole request.
    const events = eventsOf({ id: 'x1', request: { chunks: ['{"kept":1,"password":"plan'] } });
    for (const event of events) if (event.kind !== 'body-end' || event.side !== 'request') sink.record(event);
    if (batch) await sink.flush();
    sink.record(piece('ted-secret-of-a-late'));
    sink.record(piece('r-chunk"}'));
    sink.record({ kind: 'body-end', exchange: id, side: 'request' });
    await sink.close();
    expect(readFileSync(file, 'latin1')).not.toMatch(/ted-secret|late/);
    const source = openCaptureSource(file);
    try {
      const [exchange] = [...source.exchanges()];
      expect(exchange?.end.kind).toBe('complete');
      expect(bodyOf(exchange, 'request').toString()).toMatch(/^\{"kept":1,"password":"‹hmac:[0-9a-f]{20}›$/);
      expect(exchange?.request.body).toMatchObject({ totalBytes: 55 });
      expect(source.gaps()).toMatchObject([{ reason: 'decode', exchange: 'x1', lostBytes: 29 }]);
    } finally {
      source.close();
    }
  },
);
