import { describe, expect, test } from 'vitest';
import { decodeInstruction, encodeInstruction, type Instruction } from './instruction.ts';

const strict = { strict: true };
const lenient = { strict: false };

const everything: Instruction = {
  step: 'series',
  instructions: [
    { step: 'return', response: 'é🚀', holdTask: true },
    {
      step: 'call',
      call: {
        transport: 'jsonrpc',
        agentCardUri: 'http://127.0.0.1:1/',
        streaming: true,
        behavior: { kind: 'push', url: 'http://127.0.0.1:2' },
        instruction: { step: 'return', response: '', holdTask: false },
      },
    },
  ],
};

test('what is encoded is decoded', () => {
  expect(decodeInstruction(encodeInstruction(everything), strict)).toEqual(everything);
});

test.each(['send', 'resubscribe'] as const)('the behaviour %s survives', (kind) => {
  const call: Instruction = {
    step: 'call',
    call: {
      transport: 't',
      agentCardUri: 'u',
      streaming: false,
      behavior: { kind },
      instruction: { step: 'return', response: 'r', holdTask: false },
    },
  };
  expect(decodeInstruction(encodeInstruction(call), strict)).toEqual(call);
});

test('the bytes are those of the protobuf definition', () => {
  // field 2 (return_response), 6 bytes: field 1 (response) "hi", field 2 (hold_task) true
  const bytes = Buffer.from([0x12, 0x06, 0x0a, 0x02, 0x68, 0x69, 0x10, 0x01]);
  expect(decodeInstruction(bytes, strict)).toEqual({ step: 'return', response: 'hi', holdTask: true });
  expect(Buffer.from(encodeInstruction({ step: 'return', response: 'hi', holdTask: true }))).toEqual(bytes);
});

describe('a field of a newer definition', () => {
  const bytes = Buffer.from([0x12, 0x04, 0x0a, 0x02, 0x68, 0x69, 0x48, 0x05]);

  test('is skipped when lenient', () => {
    expect(decodeInstruction(bytes, lenient)).toEqual({ step: 'return', response: 'hi', holdTask: false });
  });

  test('is refused when strict', () => {
    expect(() => decodeInstruction(bytes, strict)).toThrow('unknown field 9');
  });
});

test('no bytes are no instruction', () => {
  expect(() => decodeInstruction(new Uint8Array(), lenient)).toThrow('no step');
});
