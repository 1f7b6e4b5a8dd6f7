// What a proxy cannot be faster than: two sockets piped into each other, nothing read, nothing recorded.
import net from 'node:net';
import { serveBench } from './proxy-peer.ts';

const upstreamPort = Number(process.argv[2]);
const server = net.createServer({ noDelay: true }, (client) => {
  const upstream = net.connect({ port: upstreamPort, host: '127.0.0.1', noDelay: true });
  for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
  client.pipe(upstream);
  upstream.pipe(client);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  serveBench(address.port);
});
