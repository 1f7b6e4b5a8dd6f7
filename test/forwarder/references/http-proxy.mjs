// Bare http-proxy, as its README has it, with a keep-alive agent.
import http from 'node:http';
import httpProxy from 'http-proxy';

const [, , port, callee] = process.argv;
const proxy = httpProxy.createProxyServer({
  target: `http://127.0.0.1:${callee}`,
  agent: new http.Agent({ keepAlive: true }),
  ws: true,
});
proxy.on('error', (_error, _request, response) => {
  if ('writeHead' in response && !response.headersSent) response.writeHead(502);
  response.end();
});
const server = http.createServer((request, response) => proxy.web(request, response));
server.on('upgrade', (request, socket, head) => proxy.ws(request, socket, head));
server.listen(Number(port), '127.0.0.1');
