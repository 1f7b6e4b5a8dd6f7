import { hash } from 'node:crypto';
import type { ArtifactView, PartView } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import type { ArtifactDigest, PartDigest } from './subjects.ts';

/** Longest part text that the index keeps, in UTF-16 code units; longer ones are known by digest alone. */
const keptText = 4096;

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

/** The same for the same content, whatever its message or artifact is called. */
export const digestParts = (parts: readonly PartView[]): string =>
  parts.map((part) => digestPart(part).digest).join(' ');

/** What the index keeps of an artifact: enough to tell whether two are the same, and short texts. */
export function digestArtifact(artifact: ArtifactView): ArtifactDigest {
  return { artifactId: artifact.artifactId, name: artifact.name, parts: artifact.parts.map(digestPart) };
}
