import type { Message, Part } from '@a2a-js/sdk';

export function textPart(text: string): Part {
  return {
    content: { $case: 'text', value: text },
    mediaType: 'text/plain',
    filename: '',
    metadata: undefined,
  };
}

export function dataPart(data: unknown): Part {
  return {
    content: { $case: 'data', value: data },
    mediaType: 'application/json',
    filename: '',
    metadata: undefined,
  };
}

export function bytesPart(bytes: Uint8Array, filename: string, mediaType: string): Part {
  return { content: { $case: 'raw', value: Buffer.from(bytes) }, mediaType, filename, metadata: undefined };
}

export function urlPart(url: string, filename: string, mediaType: string): Part {
  return { content: { $case: 'url', value: url }, mediaType, filename, metadata: undefined };
}

/** The texts of all text parts, joined. Peers may leave lists out, so nothing is taken for granted. */
export function textOf(holder: { readonly parts?: readonly Part[] } | undefined): string {
  return (holder?.parts ?? [])
    .map((part) => (part.content?.$case === 'text' ? part.content.value : ''))
    .join('');
}

export function firstText(message: Message): string {
  for (const part of message.parts) {
    if (part.content?.$case === 'text') return part.content.value;
  }
  return '';
}
