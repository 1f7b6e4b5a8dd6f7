import type { Message, Part } from '@a2a-js/sdk';
import { decodeInstruction, type Instruction } from './instruction.ts';

export const instructionMediaType = 'application/x-protobuf';
export const instructionFilename = 'instruction.bin';

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What a part declared as an instruction decodes to; a broken one is an answer to give, not a text to echo. */
export type FoundInstruction = Instruction | { readonly step: 'broken'; readonly error: string };

export function findInstruction(message: Message): FoundInstruction | undefined {
  for (const part of message.parts) {
    const found = part.kind === 'text' ? undeclared(part.text.trim()) : declared(part);
    if (found) return found;
  }
  return undefined;
}

/** The SDK keeps no file names over gRPC and HTTP+JSON, so the media type is enough. */
function declared(part: Part): FoundInstruction | undefined {
  if (part.kind !== 'file') return undefined;
  const { file } = part;
  if (file.mimeType !== instructionMediaType && file.name !== instructionFilename) return undefined;
  if (!('bytes' in file))
    return { step: 'broken', error: 'the part that should hold an instruction holds no bytes' };
  try {
    return decodeInstruction(Buffer.from(file.bytes, 'base64'), { strict: false });
  } catch (error) {
    return { step: 'broken', error: `the instruction cannot be decoded: ${String(error)}` };
  }
}

/** Base64 in a text part. Most texts are no instruction, so it must decode to one without a stray byte. */
function undeclared(text: string): Instruction | undefined {
  if (!base64.test(text)) return undefined;
  try {
    return decodeInstruction(Buffer.from(text, 'base64'), { strict: true });
  } catch {
    return undefined;
  }
}
