import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { StatusSchema } from './generated/google/rpc/status_pb.ts';
import { grpcStatus } from './status.ts';

const status = (trailers: Readonly<Record<string, string>>, head: Readonly<Record<string, string>> = {}) =>
  grpcStatus({ headers: Object.entries(head).flat() }, Object.entries(trailers).flat());

describe('the status of a gRPC call', () => {
  it('is in the trailers before it is in the head', () => {
    expect(status({ 'grpc-status': '0' }, { 'grpc-status': '5' })).toEqual({
      ...{ text: '0', code: 0, name: 'OK', message: undefined, from: 'trailers' },
    });
    expect(
      status({ 'grpc-message': 'x' }, { 'grpc-status': '5', 'grpc-message': 'no%20task' }),
    ).toMatchObject({
      ...{ code: 5, name: 'NOT_FOUND', message: 'no task', from: 'head' },
    });
    expect(grpcStatus({ headers: ['grpc-status', '5'] }, undefined)).toMatchObject({ code: 5, from: 'head' });
    expect(status({}, {})).toBeUndefined();
    expect(grpcStatus({ headers: [] }, undefined)).toBeUndefined();
  });

  it.each([
    [' 13 ', 13, 'INTERNAL'],
    ['16', 16, 'UNAUTHENTICATED'],
    ['17', 17, undefined],
    ['999', 999, undefined],
    ['1000', undefined, undefined],
    ['-1', undefined, undefined],
    ['5x', undefined, undefined],
    ['', undefined, undefined],
  ])('has a number and a name where %j is one', (text, code, name) => {
    expect(status({ 'grpc-status': text })).toMatchObject({ text: text.trim(), code, name });
  });
});

describe('the details of a gRPC status', () => {
  const details = (name: string, value: string) => status({ 'grpc-status': '5', [name]: value });
  const binary = (value: string) => details('grpc-status-details-bin', value);
  const json = (value: string) => details('x-plugfest-grpc-details-json', value);

  it('are the first value of their trailer, padded or not', () => {
    const bytes = toBinary(StatusSchema, create(StatusSchema, { code: 5, message: 'none' }));
    const text = Buffer.from(bytes).toString('base64');
    const found = { inDetails: { code: 5, message: 'none' }, details: [] };
    for (const value of [text, text.replace(/=+$/, ''), ` ${text} , ${text}`, `${text},x`])
      expect(binary(value)).toMatchObject(found);
  });

  it('that are no status, or more than Plugfest reads, have a problem', () => {
    expect(binary(Buffer.from([0x0a, 1, 0x41]).toString('base64'))?.detailsProblem).toBe(
      'field 1 (code) of google.rpc.Status has wire type 2, not 0',
    );
    const many = Buffer.alloc(2 * limits.values + 2, Uint8Array.of(0x1a, 0));
    expect(binary(many.toString('base64'))?.detailsProblem).toBe('too large');
  });

  it('may have been recorded as JSON', () => {
    expect(json('[{"@type":"x"}]')).toMatchObject({ details: [{ '@type': 'x' }] });
    expect(json('{}')).toMatchObject({ detailsProblem: 'no array' });
    expect(json('[')).toMatchObject({ detailsProblem: 'no JSON' });
    expect(status({ 'grpc-status': '5' })).not.toHaveProperty('details');
  });
});
