import { createHash } from 'node:crypto';
import type { ArtifactView, PartView } from '@plugfest/a2a';
import type { ArtifactDigest, PartDigest } from './subjects.ts';

/** Longest part text that the index keeps, in UTF-16 code units; longer ones are known by digest alone. */
const keptText = 4096;

function digestPart(part: PartView): PartDigest {
  const content = part.kind === 'text' ? (part.text ?? '') : JSON.stringify(part.value);
  return {
    kind: part.kind,
    mediaType: part.mediaType,
    text: part.kind === 'text' && content.length <= keptText ? content : undefined,
    digest: createHash('sha256').update(content).digest('hex').slice(0, 16),
  };
}

/** What the index keeps of an artifact: enough to tell whether two are the same, and short texts. */
export function digestArtifact(artifact: ArtifactView): ArtifactDigest {
  return { artifactId: artifact.artifactId, name: artifact.name, parts: artifact.parts.map(digestPart) };
}
