import type { Socket } from 'node:net';

/** What a client begins to speak. */
export type Speech = 'http1' | 'http2' | 'tls';

/** RFC 9113 section 3.4; no method of HTTP/1.1 that anybody uses begins like it. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** First byte of a TLS record that holds a handshake (RFC 8446 section 5.1); no token of HTTP holds it. */
const handshakeRecord = 0x16;

/** What these bytes begin; undefined where more of them are needed. */
export function speechOf(seen: Buffer, tls: boolean): Speech | undefined {
  if (seen.length === 0) return undefined;
  if (tls && seen[0] === handshakeRecord) return 'tls';
  const length = Math.min(seen.length, preface.length);
  if (preface.compare(seen, 0, length, 0, length) !== 0) return 'http1';
  return length === preface.length ? 'http2' : undefined;
}

/**
 * Looks at the first bytes of a connection and leaves them there for whoever comes next. Tells undefined where the
 * client has closed or said too little within `timeoutMs`; then it may still be answered.
 */
export function readFirstBytes<T>(
  socket: Socket,
  judge: (seen: Buffer) => T | undefined,
  timeoutMs: number,
  done: (judged: T | undefined, why?: 'ended' | 'timeout') => void,
): void {
  let seen: Buffer | undefined;
  const finish = (judged: T | undefined, why?: 'ended' | 'timeout'): void => {
    clearTimeout(timer);
    socket.off('readable', onReadable);
    socket.off('end', onEnd);
    socket.off('close', onEnd);
    done(judged, why);
  };
  const onReadable = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = seen === undefined ? chunk : Buffer.concat([seen, chunk]);
    const judged = judge(seen);
    if (judged === undefined) return;
    // In the same turn, so that an end that came with them is not told before them.
    socket.unshift(seen);
    finish(judged);
  };
  const onEnd = (): void => finish(undefined, 'ended');
  const timer = setTimeout(() => finish(undefined, 'timeout'), timeoutMs);
  timer.unref();
  socket.on('readable', onReadable);
  socket.on('end', onEnd);
  socket.on('close', onEnd);
}
