// The callee of the benchmarks: answers over bare sockets, so that the proxies are what is measured.
import net from 'node:net';
import type { Ready } from './messages.ts';

const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(1740) } }));
const response = Buffer.concat([
  Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Mon, 30 Nov 2026 00:00:00 GMT\r\nContent-Length: ${body.length}\r\n\r\n`,
  ),
  body,
]);
const streamHead =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n';
const eventEveryMs = 5;

/** Sends an event every few milliseconds, each with the moment it was written. */
function stream(socket: net.Socket): void {
  socket.write(streamHead);
  const timer = setInterval(() => {
    const event = `data: ${process.hrtime.bigint()}\n\n`;
    socket.write(`${event.length.toString(16)}\r\n${event}\r\n`);
  }, eventEveryMs);
  socket.on('close', () => clearInterval(timer));
}

/** Size of the request at the front of `bytes`; 0 while its head is incomplete. */
function requestSize(bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return 0;
  const head = bytes.toString('latin1', 0, headEnd);
  return headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
}

const server = net.createServer({ noDelay: true }, (socket) => {
  let pending: Buffer = Buffer.alloc(0);
  // Requests of one connection are all alike, so only the first is read; this is to cost as little as it can.
  let size = 0;
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    size ||= requestSize(pending);
    if (size === 0 || pending.length < size) return;
    if (pending.length > size) throw new Error('requests of one connection differ in size');
    if (pending.toString('latin1', 0, 11) === 'GET /events') stream(socket);
    else socket.write(response);
    pending = Buffer.alloc(0);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  process.send?.({ type: 'ready', port: address.port } satisfies Ready);
});
process.on('disconnect', () => process.exit(0));
