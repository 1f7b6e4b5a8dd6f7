// Bare httpxy, as its README has it, with a keep-alive agent.
import http from 'node:http';
import { createProxyServer } from 'httpxy';

const [, , port, callee] = process.argv;
const proxy = createProxyServer({
  target: `http://127.0.0.1:${callee}`,
  agent: new http.Agent({ keepAlive: true }),
  ws: true,
});
const fail = (response) => () => {
  if ('writeHead' in response && !response.headersSent) response.writeHead(502);
  response.end();
};
proxy.on('error', (_error, _request, response) => response && fail(response)());
const server = http.createServer((request, response) => {
  proxy.web(request, response).catch(fail(response));
});
server.on('upgrade', (request, socket, head) => {
  proxy.ws(request, socket, {}, head).catch(() => socket.destroy());
});
server.listen(Number(port), '127.0.0.1');
