import type { FilePart, Message, Part } from '@a2a-js/sdk';

export function textPart(text: string): Part {
  return { kind: 'text', text };
}

export function dataPart(data: Record<string, unknown>): Part {
  return { kind: 'data', data };
}

export function bytesPart(bytes: Uint8Array, name?: string, mimeType?: string): FilePart {
  return { kind: 'file', file: { bytes: Buffer.from(bytes).toString('base64'), ...named(name, mimeType) } };
}

export function urlPart(uri: string, name?: string, mimeType?: string): FilePart {
  return { kind: 'file', file: { uri, ...named(name, mimeType) } };
}

function named(name: string | undefined, mimeType: string | undefined) {
  return { ...(name && { name }), ...(mimeType && { mimeType }) };
}

/** The texts of all text parts, joined. Peers may leave lists out, so nothing is taken for granted. */
export function textOf(holder: { readonly parts?: readonly Part[] } | undefined): string {
  return (holder?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

export function firstText(message: Message): string {
  const part = message.parts.find((candidate) => candidate.kind === 'text');
  return part?.kind === 'text' ? part.text : '';
}
