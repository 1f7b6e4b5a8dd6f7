import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import {
  base64,
  type Codec,
  flag,
  list,
  named,
  object,
  objectOf,
  present,
  struct,
  text,
  untranslatable,
} from './codec.ts';
import { states } from './objects.ts';

/** States and roles of 0.2 and 0.3 JSON (0.3 section 6.3, 6.4). */
export const legacyState = named(
  Object.fromEntries(states.map((name) => [`TASK_STATE_${name}`, name.toLowerCase().replaceAll('_', '-')])),
);
export const legacyRole = named({ ROLE_USER: 'user', ROLE_AGENT: 'agent' });

const file = {
  raw: object({ raw: ['bytes', base64], filename: ['name', text], mediaType: ['mimeType', text] }),
  url: object({ url: ['uri', text], filename: ['name', text], mediaType: ['mimeType', text] }),
};

/** Parts told apart by a member `discriminator`: `kind` in 0.2 and 0.3 (section 6.5), `type` in 0.1. */
export function partsBy(discriminator: 'kind' | 'type'): Codec {
  const of = (name: string, members: JsonObject): JsonObject => ({ [discriminator]: name, ...members });
  return {
    to(value) {
      const { metadata, ...content } = objectOf(value);
      if (metadata !== undefined) struct.to(metadata);
      const others = present({ metadata });
      const names = Object.keys(content);
      if ('text' in content && names.length === 1)
        return of('text', { text: text.to(content.text ?? null), ...others });
      if ('data' in content && names.length === 1)
        return of('data', { data: objectOf(content.data), ...others });
      if ('raw' in content) return of('file', { file: file.raw.to(content), ...others });
      if ('url' in content) return of('file', { file: file.url.to(content), ...others });
      return untranslatable('a part without a content that 0.x has');
    },
    from(value) {
      const { [discriminator]: kind, metadata, ...content } = objectOf(value);
      const others = present({ metadata });
      const names = Object.keys(content);
      if (names.length !== 1 || names[0] !== kind) return untranslatable('a part that is not its kind');
      if (kind === 'text') return { text: text.from(content.text ?? null), ...others };
      if (kind === 'data') return { data: objectOf(content.data), ...others };
      if (kind !== 'file') return untranslatable('a part of no known kind');
      const codec = isJsonObject(content.file) && 'bytes' in content.file ? file.raw : file.url;
      return { ...objectOf(codec.from(content.file ?? null)), ...others };
    },
  };
}

export const legacyMessage = object(
  {
    messageId: text,
    contextId: text,
    taskId: text,
    role: legacyRole,
    parts: list(partsBy('kind')),
    metadata: struct,
    extensions: list(text),
    referenceTaskIds: list(text),
  },
  { kind: 'message' },
);
const artifact = object({
  artifactId: text,
  name: text,
  description: text,
  parts: list(partsBy('kind')),
  metadata: struct,
  extensions: list(text),
});
const status = object({ state: legacyState, message: legacyMessage, timestamp: text });
export const legacyTask = object(
  {
    id: text,
    contextId: text,
    status,
    artifacts: list(artifact),
    history: list(legacyMessage),
    metadata: struct,
  },
  { kind: 'task' },
);
const statusUpdate = object(
  { taskId: text, contextId: text, status, metadata: struct },
  { kind: 'status-update' },
);
const artifactUpdate = object(
  { taskId: text, contextId: text, artifact, append: flag, lastChunk: flag, metadata: struct },
  { kind: 'artifact-update' },
);

/** The states whose event is the last of a 0.x stream (0.3 section 7.2.2). */
const lastStates: ReadonlySet<Json | undefined> = new Set([
  ...['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED', 'INPUT_REQUIRED'].map((name) => `TASK_STATE_${name}`),
]);
export const isLast = (event: JsonObject): boolean =>
  isJsonObject(event.status) && lastStates.has(event.status.state);

/** A StreamResponse or SendMessageResponse of 1.0 as the bare object of 0.2 and 0.3, which says its kind. */
export const legacyPayload: Codec = {
  to(value) {
    const members = Object.entries(objectOf(value));
    const [entry, another] = members;
    if (entry === undefined || another !== undefined) return untranslatable('not one payload');
    const [name, payload] = entry;
    if (name === 'task') return legacyTask.to(payload);
    if (name === 'message') return legacyMessage.to(payload);
    if (name === 'artifactUpdate') return artifactUpdate.to(payload);
    if (name !== 'statusUpdate') return untranslatable(`no payload ${name}`);
    return { ...objectOf(statusUpdate.to(payload)), final: isLast(objectOf(payload)) };
  },
  from(value) {
    const payload = objectOf(value);
    if (payload.kind === 'task') return { task: legacyTask.from(payload) };
    if (payload.kind === 'message') return { message: legacyMessage.from(payload) };
    if (payload.kind === 'artifact-update') return { artifactUpdate: artifactUpdate.from(payload) };
    const { final: _shownByTheState, ...event } = payload;
    return { statusUpdate: statusUpdate.from(event) };
  },
};

/** The inner push configuration of 0.2 and 0.3 (0.3 section 6.8). */
const innerConfig = object({
  id: text,
  url: text,
  token: text,
  authentication: object({
    scheme: [
      'schemes',
      {
        to: (scheme) => [text.to(scheme)],
        from: (schemes) =>
          Array.isArray(schemes) && schemes.length === 1
            ? text.from(schemes[0] ?? null)
            : untranslatable('not one scheme'),
      },
    ],
    credentials: text,
  }),
});

/** A push configuration inside a send: 0.x does not name its task there. */
export const inlineConfig: Codec = innerConfig;

/** That of a task: nested, with the task beside it. */
export const taskConfig: Codec = {
  to(value) {
    const { taskId, ...config } = objectOf(value);
    return present({ taskId, pushNotificationConfig: innerConfig.to(config) });
  },
  from(value) {
    const { taskId, pushNotificationConfig, ...others } = objectOf(value);
    if (Object.keys(others).length > 0) return untranslatable('a config with more members');
    return { ...present({ taskId }), ...objectOf(innerConfig.from(pushNotificationConfig ?? null)) };
  },
};
