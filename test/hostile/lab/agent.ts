// An agent in a process of its own, to be killed: answers requests after a while, and streams without end.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const server = http.createServer((request, response) => {
  if (request.url?.startsWith('/stream/')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let event = 0;
    const timer = setInterval(() => {
      event += 1;
      response.write(`data: ${event}\n\n`);
    }, 20);
    response.on('close', () => clearInterval(timer));
    return;
  }
  setTimeout(() => response.end('{}'), 15);
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
