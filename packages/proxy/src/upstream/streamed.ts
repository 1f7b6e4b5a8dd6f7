import http from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Change } from '@plugfest/model';
import { resetConnection } from '../tls/reset.ts';
import type { OpenUpstream } from './opening.ts';
import {
  type ConnectionObserver,
  failureOf,
  maxResponseHeadBytes,
  type StreamedCall,
  type StreamedCallbacks,
  type UpstreamRequest,
  type UpstreamTarget,
} from './upstream.ts';

const pairs = (flat: readonly string[]): [string, string][] => {
  const out: [string, string][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) out.push([flat[i] ?? '', flat[i + 1] ?? '']);
  return out;
};

/** Header fields that Node sends exactly as they are. */
function sendable(headers: readonly string[], onChange: (change: Change) => void): readonly string[] {
  const side = 'request';
  const place = 'header';
  const names = headers.map((name, i) => (i % 2 === 0 ? name.toLowerCase() : ''));
  let fields = headers;
  const trailerAt = names.indexOf('trailer');
  if (trailerAt !== -1 && !names.includes('transfer-encoding')) {
    // Announces what cannot come: only a chunked body has trailers. Node refuses to send it.
    const [where = '', before = ''] = headers.slice(trailerAt, trailerAt + 2);
    fields = headers.toSpliced(trailerAt, 2);
    onChange({ side, place, where, before, reason: 'no-trailers' });
  }
  if (!names.includes('connection')) {
    // Node would add it, and nobody would know.
    fields = [...fields, 'Connection', 'keep-alive'];
    onChange({ side, place, where: 'Connection', after: 'keep-alive', reason: 'hop-by-hop' });
  }
  return fields;
}

/** Node.js writes heads as UTF-8 where it writes them alone; what it read as latin1 has to leave as latin1. */
function writeHeadsAsRead(socket: Socket): void {
  const write = socket.write.bind(socket) as (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding,
    done?: (error?: Error | null) => void,
  ) => boolean;
  socket.write = ((
    chunk: string | Uint8Array,
    encoding?: BufferEncoding,
    done?: (error?: Error | null) => void,
  ): boolean =>
    write(chunk, typeof chunk === 'string' ? (encoding ?? 'latin1') : encoding, done)) as Socket['write'];
}

/**
 * Sends a request that `KeptAliveUpstream` cannot carry: a body that is not there yet, chunked framing,
 * trailers, `Expect`. It gets a connection of its own, closed afterwards: a request that streams must not
 * meet a stale one, because it cannot be sent twice.
 */
export function sendStreamed(
  target: UpstreamTarget,
  request: UpstreamRequest,
  { handler, onChange, onDrain, onSwitch }: StreamedCallbacks,
  observer: ConnectionObserver,
  connectTimeoutMs: number,
  openUpstream: OpenUpstream,
): StreamedCall {
  let done = false;
  let connected = false;
  let halfClosed = false;
  let response: http.IncomingMessage | undefined;
  let socket: Socket | undefined;
  let socketError: Error | undefined;

  const secure = target.protocol === 'https:';
  const agent = new http.Agent({ keepAlive: true, timeout: 0 });
  // Nothing else is sent on it. (To Node.js, `maxFreeSockets: 0` means the default.)
  agent.on('free', (unused: Socket) => unused.destroy());
  if (secure) agent.createConnection = () => openUpstream(['http/1.1']);
  const outgoing = http.request({
    agent,
    host: target.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: target.port,
    method: request.method,
    path: request.path,
    headers: sendable(request.headers, onChange),
    maxHeaderSize: maxResponseHeadBytes,
  });
  outgoing.setNoDelay(true);
  // Fields beyond a number would be dropped without a word; `maxHeaderSize` bounds them all.
  outgoing.maxHeadersCount = 0;

  const failed = (error: Error): void => {
    if (done) return;
    done = true;
    outgoing.destroy();
    handler.onFailure(failureOf(socketError ?? error, connected));
  };

  const connectTimer = setTimeout(() => {
    if (!connected) failed(Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT' }));
  }, connectTimeoutMs);
  connectTimer.unref();

  outgoing.once('socket', (opened) => {
    socket = opened;
    writeHeadsAsRead(opened);
    const ready = (): void => {
      connected = true;
      clearTimeout(connectTimer);
      if (!secure) observer.opened(opened);
    };
    if (secure ? (opened as TLSSocket).alpnProtocol === null : opened.connecting) {
      opened.once(secure ? 'secureConnect' : 'connect', ready);
    } else ready();
    opened.once('error', (error) => {
      socketError = error;
    });
  });
  outgoing.on('information', (info) => {
    if (!done) handler.onInformational(info.statusCode, info.statusMessage, info.rawHeaders);
  });
  outgoing.once('upgrade', (incoming, opened, early) => {
    if (onSwitch !== undefined && !done) {
      done = true;
      const { statusCode = 101, statusMessage = '', httpVersion, rawHeaders } = incoming;
      // Its own timeouts and listeners are gone; what happens on it from now on is not this call's.
      onSwitch(statusCode, statusMessage, httpVersion, rawHeaders, opened as Socket, early);
      return;
    }
    opened.destroy();
    failed(Object.assign(new Error('bad upgrade'), { code: 'HPE_UPGRADE' }));
  });
  outgoing.once('response', (incoming) => {
    response = incoming;
    if (done) return;
    handler.onHead(
      incoming.statusCode ?? 0,
      incoming.statusMessage ?? '',
      incoming.httpVersion,
      incoming.rawHeaders,
    );
    incoming.on('data', (chunk: Buffer) => {
      if (!done) handler.onData(chunk);
    });
    incoming.once('end', () => {
      if (done || !incoming.complete) return;
      done = true;
      handler.onEnd(incoming.rawTrailers);
      // An early response ends the exchange; nobody waits for the rest of the request.
      if (!outgoing.writableFinished) outgoing.destroy();
    });
    incoming.once('error', failed);
    incoming.once('close', () => {
      if (!incoming.complete) failed(new Error('other side closed'));
    });
  });
  outgoing.on('error', failed);
  outgoing.on('drain', onDrain);
  // Where there will be no body, there is none to frame.
  if (onSwitch !== undefined) outgoing.useChunkedEncodingByDefault = false;
  outgoing.flushHeaders();

  return {
    write: (chunk) => outgoing.destroyed || outgoing.write(chunk),
    end(trailers) {
      if (outgoing.destroyed) return;
      if (trailers.length > 0) outgoing.addTrailers(pairs(trailers));
      outgoing.end(() => {
        if (halfClosed) socket?.end();
      });
    },
    pause: () => response?.pause(),
    resume: () => response?.resume(),
    halfClose() {
      halfClosed = true;
      if (outgoing.writableFinished) socket?.end();
    },
    abort(reset) {
      if (done) return;
      done = true;
      clearTimeout(connectTimer);
      if (reset && socket !== undefined) resetConnection(socket);
      outgoing.destroy();
    },
  };
}
