import { isJsonObject, type JsonObject, type ProtocolVersion } from '@plugfest/model';
import type { ArtifactUpdateView, StatusUpdateView } from '../decoded.ts';
import { artifactView } from './artifact.ts';
import { idText, text } from './members.ts';
import { statusView } from './status.ts';

/** 0.1 events name their task `id`. */
const taskIdOf = (value: JsonObject, version: ProtocolVersion): string | undefined =>
  idText(value, 'taskId', 'task_id') ?? (version === '0.1' ? text(value, 'id') : undefined);

/** A status event of any version. */
export function statusUpdateView(
  value: JsonObject,
  pointer: string,
  version: ProtocolVersion,
): StatusUpdateView {
  return {
    taskId: taskIdOf(value, version),
    contextId: idText(value, 'contextId', 'context_id'),
    status: statusView(value.status, `${pointer}/status`),
    final: value.final,
    value,
  };
}

/** An artifact event of any version; in 0.1 the chunk flags are members of the artifact. */
export function artifactUpdateView(
  value: JsonObject,
  pointer: string,
  version: ProtocolVersion,
): ArtifactUpdateView {
  const artifact = value.artifact;
  const flags = version === '0.1' && isJsonObject(artifact) ? artifact : value;
  return {
    taskId: taskIdOf(value, version),
    contextId: idText(value, 'contextId', 'context_id'),
    artifact: isJsonObject(artifact) ? artifactView(artifact, `${pointer}/artifact`) : undefined,
    append: flags.append === true,
    lastChunk: flags.lastChunk === true || flags.last_chunk === true,
    value,
  };
}
