import { expect, test } from 'vitest';
import { encodeInstruction } from './instruction.ts';

// Bytes written by hand after the field numbers in docs/lab-agents.md.
test('an instruction is the protobuf that the ITK defines', () => {
  const bytes = encodeInstruction({
    step: 'series',
    instructions: [
      { step: 'return', response: 'a' },
      {
        step: 'call',
        transport: 'jsonrpc',
        agentCardUri: 'http://h',
        instruction: { step: 'return', response: 'b' },
        streaming: true,
      },
    ],
  });
  const call = [
    [0x0a, 0x07, ...Buffer.from('jsonrpc')],
    [0x12, 0x08, ...Buffer.from('http://h')],
    [0x1a, 0x05, 0x12, 0x03, 0x0a, 0x01, 0x62],
    [0x20, 0x01],
    [0x2a, 0x00],
  ].flat();
  const first = [0x0a, 0x05, 0x12, 0x03, 0x0a, 0x01, 0x61];
  const second = [0x0a, call.length + 2, 0x0a, call.length, ...call];
  const series = [...first, ...second, 0x10, 0x01];
  expect([...bytes]).toEqual([0x1a, series.length, ...series]);
});

test('lengths above 127 take two bytes', () => {
  const response = 'x'.repeat(300);
  const bytes = encodeInstruction({ step: 'return', response });
  expect([...bytes.slice(0, 6)]).toEqual([0x12, 0xaf, 0x02, 0x0a, 0xac, 0x02]);
  expect(bytes).toHaveLength(306);
});
