import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { PartView } from '../decoded.ts';
import { list, object, text } from './members.ts';

/** What a 0.x file part holds: `bytes` and `uri`, or the transcoded proto's names. */
function fileKind(file: JsonObject): PartView['kind'] {
  if ('bytes' in file || 'fileWithBytes' in file) return 'raw';
  return 'uri' in file || 'fileWithUri' in file ? 'url' : 'unknown';
}

function kindOf(part: JsonObject): PartView['kind'] {
  if ('text' in part) return 'text';
  if ('raw' in part) return 'raw';
  if ('url' in part) return 'url';
  if ('data' in part) return 'data';
  const file = object(part, 'file');
  return file === undefined ? 'unknown' : fileKind(file);
}

/** A part of any version; the first content member decides where there are several. */
function partView(value: Json, pointer: string): PartView {
  if (!isJsonObject(value)) return { kind: 'unknown', text: undefined, mediaType: undefined, value, pointer };
  const file = object(value, 'file');
  return {
    kind: kindOf(value),
    text: text(value, 'text'),
    mediaType: text(value, 'mediaType') ?? (file && text(file, 'mimeType')) ?? text(value, 'mimeType'),
    value,
    pointer,
  };
}

/** The parts of a message or artifact; the proto of 0.3 names those of a message `content`. */
export function partViews(owner: JsonObject, pointer: string): readonly PartView[] {
  const name = Array.isArray(owner.parts) ? 'parts' : 'content';
  const parts = list(owner, name);
  return parts === undefined
    ? none
    : parts.map((part, index) => partView(part, `${pointer}/${name}/${index}`));
}

const none: readonly PartView[] = [];
