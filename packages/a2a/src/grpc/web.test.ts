import { describe, expect, it } from 'vitest';
import { capturedBody } from '../captured.fixture.ts';
import type { GrpcFrame } from './framing.ts';
import { grpcWebText, grpcWebTrailers, isGrpcWeb } from './web.ts';

const frame = (text: string, more: Partial<GrpcFrame> = {}): GrpcFrame => {
  const bytes = Buffer.from(text);
  return { flags: 0, lengthBytes: bytes.length, bytes, state: 'whole', firstAtNs: 0, atNs: 0, ...more };
};
const trailersFlag = 0x80;

describe('gRPC-Web', () => {
  it('has media types of its own', () => {
    expect(['application/grpc-web', 'application/grpc-web-text+proto'].map(isGrpcWeb)).toEqual([true, true]);
    expect(['application/grpc', 'application/grpc+proto', ''].map(isGrpcWeb)).toEqual([false, false, false]);
  });

  it('may be base64 in pieces, each padded by itself, wherever the chunks end', () => {
    const text = ['a', 'bc', 'def', 'g'].map((piece) => Buffer.from(piece).toString('base64')).join('');
    for (let at = 0; at <= text.length; at++) {
      const body = capturedBody([Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at))], 0);
      expect(Buffer.from(grpcWebText(body)).toString()).toBe('abcdefg');
    }
    expect(grpcWebText(capturedBody([], 0))).toHaveLength(0);
  });

  it('has its trailers in a frame, and its messages in the others', () => {
    const text = 'grpc-status: 5\r\n grpc-message :a: b \r\nno field\r\n: nothing\r\nx:1\r\n';
    const [message, trailers, compressed] = [
      frame('m'),
      frame(text, { flags: trailersFlag }),
      frame('c', { flags: 1 }),
    ];
    expect(grpcWebTrailers([message, trailers, compressed])).toEqual({
      messages: [message, compressed],
      trailers: ['grpc-status', '5', 'grpc-message', 'a: b', 'x', '1'],
    });
    expect(grpcWebTrailers([frame('', { flags: trailersFlag })]).trailers).toEqual([]);
    expect(grpcWebTrailers([message, compressed])).toEqual({
      messages: [message, compressed],
      trailers: undefined,
    });
  });

  it('has no trailers where their frame was cut', () => {
    const cut = frame('grpc-status: 0', { flags: trailersFlag, state: 'cut' });
    expect(grpcWebTrailers([cut])).toEqual({ messages: [cut], trailers: undefined });
  });
});
