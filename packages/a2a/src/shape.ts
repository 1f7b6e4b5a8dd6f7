import { isJsonObject, type Json, type JsonObject, type ProtocolVersion } from '@plugfest/model';
import { canonicalState } from './states.ts';

/** Members of a 1.0 StreamResponse (section 3.2.3). */
export const streamResponseMembers = ['task', 'message', 'statusUpdate', 'artifactUpdate'] as const;

/** `kind` of 0.2 and 0.3 objects (0.3 section 7). */
export const legacyKinds: ReadonlySet<unknown> = new Set([
  'task',
  'message',
  'status-update',
  'artifact-update',
]);

function partsVersion(owner: Json | undefined): ProtocolVersion | undefined {
  if (!isJsonObject(owner) || !Array.isArray(owner.parts)) return undefined;
  const [part] = owner.parts;
  if (!isJsonObject(part)) return undefined;
  if (typeof part.kind === 'string') return '0.3';
  return part.type === 'text' || part.type === 'file' || part.type === 'data' ? '0.1' : undefined;
}

function artifactVersion(artifact: Json | undefined): ProtocolVersion | undefined {
  if (!isJsonObject(artifact)) return undefined;
  const parts = partsVersion(artifact);
  if (parts !== undefined) return parts;
  return typeof artifact.index === 'number' && !('artifactId' in artifact) ? '0.1' : undefined;
}

/**
 * The version that the shape of a task, message, event or wrapper shows; `0.3` stands for 0.2 too, which looks the
 * same. Undefined where the shape fits several.
 */
export function shapeVersion(value: Json | undefined): ProtocolVersion | undefined {
  if (!isJsonObject(value)) return undefined;
  if (legacyKinds.has(value.kind)) return '0.3';
  for (const member of streamResponseMembers) {
    if (isJsonObject(value[member]) && !('status' in value) && !('parts' in value)) return '1.0';
  }
  if ('sessionId' in value) return '0.1';
  const status = value.status;
  if (isJsonObject(status)) {
    if (typeof status.state === 'string' && status.state.startsWith('TASK_STATE_')) return '1.0';
    const parts = partsVersion(status.message);
    if (parts !== undefined) return parts;
  }
  if (value.role === 'ROLE_AGENT' || value.role === 'ROLE_USER') return '1.0';
  const own = partsVersion(value);
  if (own !== undefined) return own;
  const artifacts = value.artifacts;
  const artifact = artifactVersion(Array.isArray(artifacts) ? artifacts[0] : value.artifact);
  if (artifact !== undefined) return artifact;
  if ('contextId' in value || 'taskId' in value) return '0.3';
  return 'final' in value && 'id' in value ? '0.1' : undefined;
}

/** True for an object that looks like a task: an id and a status with a state, whatever the version. */
export function looksLikeTask(value: JsonObject): boolean {
  const status = value.status;
  return 'id' in value && isJsonObject(status) && canonicalState(status.state) !== undefined;
}
