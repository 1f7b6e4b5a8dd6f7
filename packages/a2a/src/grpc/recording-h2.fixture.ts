import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import {
  type CapturedBody,
  type CapturedChunk,
  type CapturedExchange,
  type EndKind,
  edgeId,
  exchangeId,
  type RawHeaders,
} from '@plugfest/model';

/** A forwarder of HTTP/2 that keeps what crosses it as a capture would. */
export interface RecordingH2 extends AsyncDisposable {
  readonly port: number;
  /** Exchanges that ended, in order of their end. */
  readonly exchanges: readonly CapturedExchange[];
}

class BodyRecord {
  readonly chunks: CapturedChunk[] = [];
  endedAtNs: number | undefined;

  add(bytes: Buffer, atNs: number, seq: number): void {
    this.chunks.push({ seq, atNs, bytes: Buffer.from(bytes) });
  }

  get captured(): CapturedBody {
    const sizeBytes = this.chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    return {
      chunks: this.chunks,
      totalBytes: sizeBytes,
      storedBytes: sizeBytes,
      ...(this.endedAtNs === undefined ? {} : { endedAtNs: this.endedAtNs }),
    };
  }
}

/** Ordinary fields of a head: HTTP/2's own have places of their own in a capture. */
const fields = (headers: IncomingHttpHeaders): RawHeaders =>
  Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(':') || value === undefined ? [] : [value].flat().flatMap((text) => [name, text]),
  );

export async function recordingH2(upstreamPort: number): Promise<RecordingH2> {
  const exchanges: CapturedExchange[] = [];
  const upstream: ClientHttp2Session = connect(`http://127.0.0.1:${upstreamPort}`);
  upstream.on('error', () => {});
  const startNs = process.hrtime.bigint();
  const nowNs = (): number => Number(process.hrtime.bigint() - startNs);
  let seq = 0;

  const forward = (stream: ServerHttp2Stream, head: IncomingHttpHeaders): void => {
    const [request, response] = [new BodyRecord(), new BodyRecord()];
    const firstSeq = ++seq;
    const atNs = nowNs();
    let answer: { atNs: number; status: number; headers: RawHeaders } | undefined;
    let trailers: RawHeaders | undefined;
    let clientAborted = false;
    const onward = upstream.request({ ...head, ':authority': `127.0.0.1:${upstreamPort}` });
    stream.on('data', (bytes: Buffer) => {
      request.add(bytes, nowNs(), ++seq);
      onward.write(bytes);
    });
    stream.on('end', () => {
      request.endedAtNs = nowNs();
      onward.end();
    });
    stream.on('aborted', () => {
      clientAborted = true;
      onward.close(constants.NGHTTP2_CANCEL);
    });
    stream.on('error', () => {});
    onward.on('error', () => {});
    onward.on('response', (headers, flags) => {
      answer = { atNs: nowNs(), status: Number(headers[':status']), headers: fields(headers) };
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      if (!stream.destroyed) stream.respond(headers, { endStream, waitForTrailers: !endStream });
    });
    onward.on('data', (bytes: Buffer) => {
      response.add(bytes, nowNs(), ++seq);
      if (!stream.destroyed) stream.write(bytes);
    });
    onward.on('trailers', (headers) => {
      trailers = fields(headers);
    });
    onward.on('end', () => {
      if (onward.rstCode !== constants.NGHTTP2_NO_ERROR || clientAborted) return;
      response.endedAtNs = nowNs();
      const sent = trailers;
      stream.on('wantTrailers', () => {
        const all: Record<string, string> = {};
        for (let i = 0; i + 1 < (sent?.length ?? 0); i += 2) all[sent?.[i] ?? ''] = sent?.[i + 1] ?? '';
        stream.sendTrailers(all);
      });
      if (!stream.destroyed) stream.end();
    });
    onward.on('close', () => {
      const failed = onward.rstCode !== constants.NGHTTP2_NO_ERROR;
      if (failed && !stream.destroyed) stream.close(onward.rstCode);
      const end: EndKind = clientAborted ? 'client-abort' : failed ? 'reset' : 'complete';
      exchanges.push({
        id: exchangeId(`x${firstSeq}`),
        seq: firstSeq,
        edge: { id: edgeId('client-agent'), caller: 'client', callee: 'agent', kind: 'a2a', mode: 'alias' },
        purpose: 'normal',
        request: {
          atNs,
          method: String(head[':method']),
          target: String(head[':path']),
          httpVersion: '2.0',
          headers: ['host', String(head[':authority']), ...fields(head)],
          body: request.captured,
        },
        ...(answer === undefined
          ? {}
          : {
              response: {
                ...answer,
                httpVersion: '2.0',
                body: response.captured,
                ...(trailers === undefined ? {} : { trailers }),
              },
            }),
        end: { kind: end, atNs: nowNs() },
        changes: [],
      });
    });
  };

  const server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => {});
  });
  server.on('stream', forward);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    exchanges,
    async [Symbol.asyncDispose]() {
      upstream.destroy();
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
