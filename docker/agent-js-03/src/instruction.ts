import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** The ITK's `Instruction`: the protobuf message by which it tells an agent what to do. */
export type Instruction =
  | { readonly step: 'call'; readonly call: CallAgent }
  | { readonly step: 'return'; readonly response: string; readonly holdTask: boolean }
  | { readonly step: 'series'; readonly instructions: readonly Instruction[] };

export interface CallAgent {
  readonly transport: string;
  readonly agentCardUri: string;
  readonly instruction: Instruction;
  readonly streaming: boolean;
  readonly behavior: Behavior;
}

export type Behavior =
  | { readonly kind: 'send' }
  | { readonly kind: 'push'; readonly url: string }
  | { readonly kind: 'resubscribe' };

export class InstructionError extends Error {
  override readonly name = 'InstructionError';
}

type Fields = Readonly<Record<number, (reader: BinaryReader) => void>>;

/** `strict` refuses fields that the ITK does not define: bytes that are no Instruction seldom pass. */
export interface DecodeOptions {
  readonly strict: boolean;
}

export function decodeInstruction(bytes: Uint8Array, options: DecodeOptions): Instruction {
  let step: Instruction | undefined;
  read(bytes, options, {
    1: (reader) => {
      step = { step: 'call', call: decodeCall(reader.bytes(), options) };
    },
    2: (reader) => {
      step = decodeReturn(reader.bytes(), options);
    },
    3: (reader) => {
      step = decodeSeries(reader.bytes(), options);
    },
  });
  if (!step) throw new InstructionError('the instruction has no step');
  return step;
}

function decodeCall(bytes: Uint8Array, options: DecodeOptions): CallAgent {
  let transport = '';
  let agentCardUri = '';
  let instruction: Instruction | undefined;
  let streaming = false;
  let behavior: Behavior = { kind: 'send' };
  read(bytes, options, {
    1: (reader) => {
      transport = reader.string();
    },
    2: (reader) => {
      agentCardUri = reader.string();
    },
    3: (reader) => {
      instruction = decodeInstruction(reader.bytes(), options);
    },
    4: (reader) => {
      streaming = reader.bool();
    },
    5: (reader) => {
      read(reader.bytes(), options, {});
      behavior = { kind: 'send' };
    },
    6: (reader) => {
      let url = '';
      read(reader.bytes(), options, {
        1: (inner) => {
          url = inner.string();
        },
      });
      behavior = { kind: 'push', url };
    },
    7: (reader) => {
      read(reader.bytes(), options, {});
      behavior = { kind: 'resubscribe' };
    },
  });
  if (!instruction) throw new InstructionError('call_agent has no instruction');
  return { transport, agentCardUri, instruction, streaming, behavior };
}

function decodeReturn(bytes: Uint8Array, options: DecodeOptions): Instruction {
  let response = '';
  let holdTask = false;
  read(bytes, options, {
    1: (reader) => {
      response = reader.string();
    },
    2: (reader) => {
      holdTask = reader.bool();
    },
  });
  return { step: 'return', response, holdTask };
}

function decodeSeries(bytes: Uint8Array, options: DecodeOptions): Instruction {
  const instructions: Instruction[] = [];
  read(bytes, options, {
    1: (reader) => {
      instructions.push(decodeInstruction(reader.bytes(), options));
    },
    // response_generator: whatever it says, the outputs are joined.
    2: (reader) => {
      reader.int32();
    },
  });
  return { step: 'series', instructions };
}

function read(bytes: Uint8Array, { strict }: DecodeOptions, fields: Fields): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    const take = fields[field];
    if (take) take(reader);
    else if (strict) throw new InstructionError(`unknown field ${field}`);
    else reader.skip(wireType, field);
  }
}

export function encodeInstruction(instruction: Instruction): Uint8Array {
  const writer = new BinaryWriter();
  writeInstruction(writer, instruction);
  return writer.finish();
}

function writeInstruction(writer: BinaryWriter, instruction: Instruction): void {
  switch (instruction.step) {
    case 'call':
      nested(writer, 1, () => writeCall(writer, instruction.call));
      break;
    case 'return':
      nested(writer, 2, () => {
        writeString(writer, 1, instruction.response);
        writeBool(writer, 2, instruction.holdTask);
      });
      break;
    case 'series':
      nested(writer, 3, () => {
        for (const step of instruction.instructions) nested(writer, 1, () => writeInstruction(writer, step));
        writer.tag(2, WireType.Varint).int32(1);
      });
      break;
  }
}

function writeCall(writer: BinaryWriter, call: CallAgent): void {
  writeString(writer, 1, call.transport);
  writeString(writer, 2, call.agentCardUri);
  nested(writer, 3, () => writeInstruction(writer, call.instruction));
  writeBool(writer, 4, call.streaming);
  const { behavior } = call;
  if (behavior.kind === 'send') nested(writer, 5, () => {});
  if (behavior.kind === 'push') nested(writer, 6, () => writeString(writer, 1, behavior.url));
  if (behavior.kind === 'resubscribe') nested(writer, 7, () => {});
}

function nested(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

function writeString(writer: BinaryWriter, field: number, value: string): void {
  if (value !== '') writer.tag(field, WireType.LengthDelimited).string(value);
}

function writeBool(writer: BinaryWriter, field: number, value: boolean): void {
  if (value) writer.tag(field, WireType.Varint).bool(value);
}
