import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Interposer, Tap, TapSpec } from '@plugfest/model';

interface Passed {
  readonly spec: TapSpec;
  readonly method: string;
  readonly target: string;
}

export interface PassThrough extends Interposer {
  /** Every request that went through, in order. */
  readonly passed: readonly Passed[];
  readonly openTaps: () => number;
}

/** The least that an interposer can be: forwards requests and puts its own origin into bodies of GETs. */
export function passThrough(): PassThrough {
  const passed: Passed[] = [];
  const connected = new Set<string>();
  const servers = new Map<number, http.Server>();
  return {
    passed,
    openTaps: () => servers.size,
    connectedFrom: (localPort, calleePort) => connected.has(`${localPort}>${calleePort}`),
    listeningPorts: () => new Set(servers.keys()),
    openTap: async (spec): Promise<Tap> => {
      const server = http.createServer((request, response) => {
        passed.push({ spec, method: request.method ?? '', target: request.url ?? '' });
        const headers = { ...request.headers, host: new URL(spec.upstream).host };
        const upstream = http.request(new URL(request.url ?? '/', spec.upstream), {
          method: request.method ?? 'GET',
          headers,
          agent: false,
        });
        upstream.on('socket', (socket) =>
          socket.once('connect', () => connected.add(`${socket.localPort}>${socket.remotePort}`)),
        );
        upstream.on('error', () => {
          if (!response.headersSent) response.writeHead(502, { 'x-plugfest-error': 'upstream-unreachable' });
          response.end();
        });
        upstream.on('response', (answer) => {
          if (request.method === 'GET') void rewritten(answer, response, spec.upstream, origin());
          else {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(response);
          }
        });
        response.on('close', () => upstream.destroy());
        request.pipe(upstream);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const origin = () => `http://127.0.0.1:${port}`;
      servers.set(port, server);
      return {
        origin: origin(),
        assign: () => {},
        close: async () => {
          const closed = new Promise<void>((resolve) => server.close(() => resolve()));
          server.closeAllConnections();
          servers.delete(port);
          await closed;
        },
      };
    },
  };
}

async function rewritten(
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  upstream: string,
  own: string,
): Promise<void> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers);
  response.end(text.replaceAll(upstream, own));
}
