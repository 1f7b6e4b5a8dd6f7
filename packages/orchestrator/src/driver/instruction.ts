/** The ITK's `Instruction` (docs/lab-agents.md, section ITK): what Plugfest tells an agent to do. */
export type Instruction =
  | {
      readonly step: 'call';
      readonly transport: 'jsonrpc' | 'http_json' | 'grpc';
      /** Base URL; the agent's resolver adds the well-known path. */
      readonly agentCardUri: string;
      readonly instruction: Instruction;
      readonly streaming: boolean;
    }
  | { readonly step: 'return'; readonly response: string }
  | { readonly step: 'series'; readonly instructions: readonly Instruction[] };

export const instructionMediaType = 'application/x-protobuf';
export const instructionFilename = 'instruction.bin';

/** The protobuf bytes. Fields at their default are left out, as proto3 does. */
export function encodeInstruction(instruction: Instruction): Uint8Array {
  return Uint8Array.from(instructionBytes(instruction));
}

function instructionBytes(instruction: Instruction): readonly number[] {
  switch (instruction.step) {
    case 'call': {
      const { transport, agentCardUri, streaming } = instruction;
      const sendMessage = delimited(5, []);
      return delimited(1, [
        ...string(1, transport),
        ...string(2, agentCardUri),
        ...delimited(3, instructionBytes(instruction.instruction)),
        ...(streaming ? [tag(4, 0), 1] : []),
        ...sendMessage,
      ]);
    }
    case 'return':
      return delimited(2, string(1, instruction.response));
    case 'series': {
      const concatenate = [tag(2, 0), 1];
      const steps = instruction.instructions.flatMap((step) => delimited(1, instructionBytes(step)));
      return delimited(3, [...steps, ...concatenate]);
    }
  }
}

/** Field numbers here are below 16, so that a tag is one byte. */
function tag(field: number, wireType: 0 | 2): number {
  return (field << 3) | wireType;
}

function delimited(field: number, payload: readonly number[]): readonly number[] {
  return [tag(field, 2), ...varint(payload.length), ...payload];
}

function string(field: number, value: string): readonly number[] {
  return value === '' ? [] : delimited(field, [...new TextEncoder().encode(value)]);
}

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
