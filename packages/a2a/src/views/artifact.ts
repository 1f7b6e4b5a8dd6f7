import type { JsonObject } from '@plugfest/model';
import type { ArtifactView } from '../decoded.ts';
import { idText, text } from './members.ts';
import { partViews } from './part.ts';

/** An artifact of any version. 0.1 artifacts have an `index` instead of an id. */
export function artifactView(value: JsonObject, pointer: string): ArtifactView {
  return {
    artifactId: idText(value, 'artifactId', 'artifact_id'),
    name: text(value, 'name'),
    parts: partViews(value, pointer),
    value,
    pointer,
  };
}
