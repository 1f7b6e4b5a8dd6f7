import { describe, expect, it } from 'vitest';
import { encodeGrpcMessage } from './encode.ts';
import { GetTaskRequestSchema, TaskSchema } from './generated/lf/a2a/v1/a2a_pb.ts';
import { readProtobuf } from './message.ts';

const path = '/lf.a2a.v1.A2AService/GetTask';

describe('encodeGrpcMessage', () => {
  it('writes the message of either side in a frame', () => {
    const request = encodeGrpcMessage(path, 'request', { id: 't' });
    expect([...(request ?? [])]).toEqual([0, 0, 0, 0, 3, 0x12, 1, 0x74]);
    expect(readProtobuf(GetTaskRequestSchema, (request ?? Buffer.alloc(5)).subarray(5)).value).toEqual({
      id: 't',
    });
    const task = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
    const response = encodeGrpcMessage(path, 'response', task);
    expect(readProtobuf(TaskSchema, (response ?? Buffer.alloc(5)).subarray(5)).value).toEqual(task);
  });

  it('writes nothing for other methods, and for values that the message cannot say', () => {
    expect(encodeGrpcMessage('/lf.a2a.v1.A2AService/NoSuch', 'request', {})).toBeUndefined();
    expect(encodeGrpcMessage(path, 'request', { later: 1 })).toBeUndefined();
    expect(encodeGrpcMessage(path, 'response', { status: { state: 'BUSY' } })).toBeUndefined();
  });
});
