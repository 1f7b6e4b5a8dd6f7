import { isJsonObject, type JsonObject, type ProtocolVersion } from '@plugfest/model';
import type { TaskView } from '../decoded.ts';
import { artifactView } from './artifact.ts';
import { idText, list, text } from './members.ts';
import { messageView } from './message.ts';
import { statusView } from './status.ts';

/** A task of any version. The `sessionId` of 0.1 is its context id. */
export function taskView(value: JsonObject, pointer: string, version: ProtocolVersion): TaskView {
  const artifacts = list(value, 'artifacts');
  const history = list(value, 'history');
  return {
    id: text(value, 'id'),
    contextId:
      idText(value, 'contextId', 'context_id') ?? (version === '0.1' ? text(value, 'sessionId') : undefined),
    status: statusView(value.status, `${pointer}/status`),
    artifacts: artifacts?.flatMap((artifact, index) =>
      isJsonObject(artifact) ? [artifactView(artifact, `${pointer}/artifacts/${index}`)] : [],
    ),
    history: history?.flatMap((message, index) =>
      isJsonObject(message) ? [messageView(message, `${pointer}/history/${index}`)] : [],
    ),
    value,
  };
}
