import { hash } from 'node:crypto';
import type { ArtifactView, PartView } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import type { ArtifactDigest, PartDigest } from './subjects.ts';

/** Longest part text that the index keeps, in UTF-16 code units; longer ones are known by digest alone. */
const keptText = 4096;
/** Names of metadata that the index keeps of an artifact. */
const keptNames = 16;
const none: readonly string[] = [];

/** A JSON text that is the same for the same value: the order of members means nothing. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isJsonObject(member as Json)
      ? Object.fromEntries(Object.entries(member as object).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function digestPart(part: PartView): PartDigest {
  const content = part.kind === 'text' ? (part.text ?? '') : canonical(part.value);
  return {
    kind: part.kind,
    mediaType: part.mediaType,
    text: part.kind === 'text' && content.length <= keptText ? content : undefined,
    digest: hash('sha256', content).slice(0, 16),
  };
}

let last: { readonly parts: readonly PartView[]; readonly digest: string } | undefined;

/**
 * The same for the same content, whatever its message or artifact is called. Remembered for the parts that were asked
 * about last, as several rules ask about one message.
 */
export function digestParts(parts: readonly PartView[]): string {
  if (last?.parts !== parts) last = { parts, digest: parts.map((part) => digestPart(part).digest).join(' ') };
  return last.digest;
}

/** What the index keeps of an artifact: enough to tell whether two are the same, and short texts. */
export function digestArtifact({ artifactId, name, parts, value }: ArtifactView): ArtifactDigest {
  const { metadata } = value;
  return {
    artifactId,
    name,
    parts: parts.map(digestPart),
    metadata: isJsonObject(metadata) ? Object.keys(metadata).slice(0, keptNames) : none,
  };
}
