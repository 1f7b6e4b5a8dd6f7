import { fromJson, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { MessageSchema, TaskSchema } from './generated/lf/a2a/v1/a2a_pb.ts';
import { readProtobuf } from './message.ts';

describe('readProtobuf', () => {
  it('reads what is nested as deeply as other bindings may have it', () => {
    let metadata: JsonObject = {};
    for (let depth = 0; depth < 200; depth++) metadata = { k: metadata };
    const value = { messageId: 'm', metadata };
    const bytes = toBinary(MessageSchema, fromJson(MessageSchema, value, { recursionLimit: 1000 }));
    expect(readProtobuf(MessageSchema, bytes)).toMatchObject({
      state: 'ok',
      text: JSON.stringify(value),
      value,
    });
  });

  it('says why bytes are no message, and has no value then', () => {
    const read = readProtobuf(TaskSchema, Uint8Array.of(0x08, 1));
    expect(read).toMatchObject({ state: 'invalid', text: '' });
    expect(read.problem).toContain('field 1 (id)');
    expect(read).not.toHaveProperty('value');
    expect(read).not.toHaveProperty('unknownFields');
  });
});
