import type { Http2Stream } from 'node:http2';

/**
 * Watches whether the peer ends its side of a stream by END_STREAM. Node.js says `end` also where the stream is
 * reset with NO_ERROR or CANCEL and where the connection is lost, and then often nothing else. What tells them
 * apart is the order: END_STREAM ends the readable side of a stream that is still open, everything else closes the
 * stream first. Call it before anything of the stream was read.
 */
export function watchEndOfStream(stream: Http2Stream): () => boolean {
  let seen =
    stream.readableEnded ||
    (stream as { endAfterHeaders?: boolean }).endAfterHeaders === true ||
    // It came in one packet with the head, before anybody could be told of the stream.
    stream.state.remoteClose === 1;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null && !stream.closed) seen = true;
    return push(chunk, encoding);
  };
  return () => seen;
}
