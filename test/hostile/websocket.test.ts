import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCapture, openCaptureSource, webSocketMessages } from '@plugfest/capture';
import { runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import { afterAll, expect, it } from 'vitest';
import { Callee, dial, untilTrue } from './lab/callee.ts';

const folder = mkdtempSync(join(tmpdir(), 'plugfest-hostile-ws-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const upgrade =
  'GET /ws HTTP/1.1\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const accepted =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n';
const mask = '\x01\x02\x03\x04';

/** Bytes that a client says after the upgrade; the proxy passes on bytes and reads none of it. */
const attacks: readonly (readonly [string, string])[] = [
  ['a frame of 2^63 - 1 bytes', `\x82\xff\x7f${'\xff'.repeat(7)}${mask}${'a'.repeat(1000)}`],
  ['a frame of 2^64 - 1 bytes', `\x82\xff${'\xff'.repeat(8)}${mask}${'a'.repeat(1000)}`],
  ['a ping of 2^63 - 1 bytes', `\x89\xff\x7f${'\xff'.repeat(7)}${mask}${'a'.repeat(1000)}`],
  ['reserved bits and opcodes', `\xff\x80${mask}\x83\x80${mask}\x8f\x80${mask}`],
  ['continuations without a beginning', `\x00\x80${mask}`.repeat(20_000)],
  ['a message of empty fragments without end', `\x01\x80${mask}${`\x00\x80${mask}`.repeat(20_000)}`],
  ['text that is no UTF-8', `\x81\x84\0\0\0\0\xff\xfe\xc3\x28`],
  ['no frames at all', 'GET /hidden HTTP/1.1\r\nHost: b\r\n\r\n'.repeat(100)],
];

it.each(attacks)('%s: passed on byte for byte, recorded, and read back in bounds', async (name, bytes) => {
  const file = join(folder, `${attacks.findIndex(([each]) => each === name)}.sqlite`);
  await using callee = await Callee.start((wire) => {
    wire.socket.on('data', () => {
      if (wire.answered > 0 || !wire.received.includes('\r\n\r\n')) return;
      wire.answered = 1;
      wire.write(accepted);
    });
    wire.socket.on('end', () => wire.socket.end());
  });
  const sink = openCapture({ file, run: runId('ws') });
  {
    await using interposer = createInterposer({ sink, run: sink.run, mode: 'alias' });
    const tap = await interposer.openTap({
      caller: 'mallory',
      callee: 'bob',
      kind: 'a2a',
      upstream: callee.origin,
    });
    const client = await dial(tap.origin);
    client.write(upgrade);
    await client.until(/\r\n\r\n$/);
    client.write(bytes);
    const got = (): string => callee.wires[0]?.received.split('\r\n\r\n').slice(1).join('\r\n\r\n') ?? '';
    await untilTrue(
      () => got().length >= bytes.length,
      () => `${got().length} of ${bytes.length} bytes`,
    );
    expect(got() === bytes).toBe(true);
    client.socket.end();
    await client.untilEnded();
    client.socket.destroy();
  }
  await sink.close();
  const source = openCaptureSource(file);
  try {
    const [exchange] = [...source.exchanges()];
    expect(exchange?.end.kind).toBe('complete');
    expect(exchange?.request.body.totalBytes).toBe(bytes.length);
    // Reading it neither throws nor allocates what a frame only announces.
    const messages = exchange === undefined ? [] : (webSocketMessages(exchange) ?? []);
    const held = messages.reduce((sum, message) => sum + message.bytes.byteLength, 0);
    expect(held).toBeLessThanOrEqual(bytes.length);
  } finally {
    source.close();
  }
});
