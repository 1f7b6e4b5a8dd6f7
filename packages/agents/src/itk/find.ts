import type { Message, Part } from '@a2a-js/sdk';
import { decodeInstruction, type Instruction } from './instruction.ts';

export const instructionMediaType = 'application/x-protobuf';
export const instructionFilename = 'instruction.bin';

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What a part declared as an instruction decodes to; a broken one is an answer to give, not a text to echo. */
export type FoundInstruction = Instruction | { readonly step: 'broken'; readonly error: string };

export function findInstruction(message: Message): FoundInstruction | undefined {
  for (const part of message.parts) {
    const found = isDeclared(part) ? declared(part) : undeclared(part);
    if (found) return found;
  }
  return undefined;
}

function isDeclared(part: Part): boolean {
  return part.mediaType === instructionMediaType || part.filename === instructionFilename;
}

function declared({ content }: Part): FoundInstruction {
  try {
    if (content?.$case === 'raw') return decodeInstruction(content.value, { strict: false });
    if (content?.$case === 'text')
      return decodeInstruction(Buffer.from(content.value, 'base64'), { strict: false });
    return { step: 'broken', error: 'the part that should hold an instruction holds no bytes' };
  } catch (error) {
    return { step: 'broken', error: `the instruction cannot be decoded: ${String(error)}` };
  }
}

/** Base64 in a text part. Most texts are no instruction, so it must decode to one without a stray byte. */
function undeclared({ content }: Part): Instruction | undefined {
  if (content?.$case !== 'text' || !base64.test(content.value.trim())) return undefined;
  try {
    return decodeInstruction(Buffer.from(content.value.trim(), 'base64'), { strict: true });
  } catch {
    return undefined;
  }
}
