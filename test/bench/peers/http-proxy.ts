// The baseline: bare http-proxy with a keep-alive agent, recording nothing.
import http from 'node:http';
import httpProxy from 'http-proxy';
import { serveBench } from './proxy-peer.ts';

const upstreamPort = Number(process.argv[2]);
const proxy = httpProxy.createProxyServer({
  target: `http://127.0.0.1:${upstreamPort}`,
  agent: new http.Agent({ keepAlive: true }),
});
proxy.on('error', (_error, _request, response) => {
  if ('destroy' in response) response.destroy();
});
const server = http.createServer((request, response) => proxy.web(request, response));
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  serveBench(address.port);
});
