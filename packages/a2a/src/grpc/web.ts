import type { CapturedBody, RawHeaders } from '@plugfest/model';
import { joinChunks } from '../body.ts';
import type { GrpcFrame } from './framing.ts';

/** The flag of the frame that holds the trailers of gRPC-Web, which may run over HTTP/1.1. */
const trailersFlag = 0x80;

export const isGrpcWeb = (type: string): boolean => type.startsWith('application/grpc-web');

/** The body of `application/grpc-web-text`: pieces of base64, each padded by itself. */
export function grpcWebText(body: CapturedBody): Uint8Array {
  const text = joinChunks(body).toString('latin1');
  return Buffer.concat(text.split(/(?<==)(?!=)/).map((piece) => Buffer.from(piece, 'base64')));
}

/** Takes the trailers out of the frames of gRPC-Web. */
export function grpcWebTrailers(frames: readonly GrpcFrame[]): {
  readonly messages: readonly GrpcFrame[];
  readonly trailers: RawHeaders | undefined;
} {
  const at = frames.findIndex(({ flags }) => (flags & trailersFlag) !== 0);
  const frame = frames[at];
  if (frame === undefined || frame.state !== 'whole') return { messages: frames, trailers: undefined };
  const trailers = Buffer.from(frame.bytes)
    .toString('latin1')
    .split('\r\n')
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
  return { messages: frames.filter((_, index) => index !== at), trailers };
}
