import { createServer } from 'node:http';

/** Serves one answer to every request on a free port and prints the ready line of docs/lab-agents.md. */
export function serveCard(contentType, body) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const card = `http://127.0.0.1:${server.address().port}/.well-known/agent-card.json`;
    process.stdout.write(`${JSON.stringify({ ready: true, card })}\n`);
  });
}
