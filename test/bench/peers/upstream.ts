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

const server = net.createServer({ noDelay: true }, (socket) => {
  let pending = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const head = pending.toString('latin1', 0, headEnd);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (pending.length < headEnd + 4 + length) return;
      pending = pending.subarray(headEnd + 4 + length);
      if (head.startsWith('GET /events')) stream(socket);
      else socket.write(response);
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  process.send?.({ type: 'ready', port: address.port } satisfies Ready);
});
process.on('disconnect', () => process.exit(0));
