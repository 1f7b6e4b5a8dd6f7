import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import {
  applyEdits,
  type JsonObjectNode,
  locateJson,
  removeMembers,
  stringAt,
  type TextEdit,
} from './json-text.ts';

/** A place of a card that says where an interface is served. */
export interface InterfaceUrl {
  /** JSON pointer into the whole text. */
  readonly pointer: string;
  readonly url: string;
  /** `protocolBinding` (1.0), `transport` or `preferredTransport` (0.3), as written; empty where absent. */
  readonly binding: string;
}

export interface LocatedCard {
  readonly text: string;
  readonly urls: readonly InterfaceUrl[];
}

export interface EditedCard {
  readonly text: string;
  /** Whether there is a new signature in place of those that had to go. */
  readonly resigned?: boolean;
  /** The `signatures` member as it was, where it had to go. */
  readonly removedSignatures: string | undefined;
}

interface Place extends InterfaceUrl {
  readonly start: number;
  readonly end: number;
}

interface Card {
  readonly root: JsonObjectNode;
  readonly base: string;
  readonly places: readonly Place[];
}

function memberString(text: string, object: JsonObjectNode, name: string): string {
  const member = object.members.findLast((candidate) => candidate.name === name);
  return member?.value.kind === 'string' ? stringAt(text, member.value) : '';
}

function locate(text: string, within: 'root' | 'result'): Card | undefined {
  let root = locateJson(text);
  let base = '';
  if (within === 'result' && root?.kind === 'object') {
    root = root.members.findLast((member) => member.name === 'result')?.value;
    base = '/result';
  }
  if (root?.kind !== 'object') return undefined;
  const places: Place[] = [];
  const preferred = memberString(text, root, 'preferredTransport');
  // A name that occurs twice is read differently by different parsers: every occurrence counts.
  for (const { name, value } of root.members) {
    if (name === 'url' && value.kind === 'string') {
      places.push({
        pointer: `${base}/url`,
        url: stringAt(text, value),
        binding: preferred,
        start: value.start,
        end: value.end,
      });
    }
    if ((name !== 'supportedInterfaces' && name !== 'additionalInterfaces') || value.kind !== 'array')
      continue;
    for (const [i, item] of value.items.entries()) {
      if (item.kind !== 'object') continue;
      const binding = memberString(text, item, 'protocolBinding') || memberString(text, item, 'transport');
      for (const member of item.members) {
        if (member.name !== 'url' || member.value.kind !== 'string') continue;
        places.push({
          pointer: `${base}/${name}/${i}/url`,
          url: stringAt(text, member.value),
          binding,
          start: member.value.start,
          end: member.value.end,
        });
      }
    }
  }
  return { root, base, places };
}

/**
 * The interface URLs of an agent card of any version: `supportedInterfaces` (1.0), `url` and
 * `additionalInterfaces` (0.2 and 0.3), all of them where a card serves both. `within` says where the card
 * stands: the text itself, or the `result` of a JSON-RPC response. Undefined where there is no card.
 */
export function locateCard(text: string, within: 'root' | 'result'): LocatedCard | undefined {
  const card = locate(text, within);
  return card === undefined || card.places.length === 0 ? undefined : { text, urls: card.places };
}

/**
 * The same text with other interface URLs (`replacements`: from JSON pointer to new URL; duplicates of a name
 * share one). Everything else stays byte for byte, except `signatures`: they cover the URLs (A2A 1.0 section
 * 8.4), so none is left where one changed. `resign` gives what takes their place.
 */
export function editCard(
  text: string,
  within: 'root' | 'result',
  replace: (place: InterfaceUrl) => string | undefined,
  resign: (unsigned: JsonObject) => Json | undefined = () => undefined,
): EditedCard {
  const card = locate(text, within);
  if (card === undefined) return { text, removedSignatures: undefined };
  const edits: TextEdit[] = [];
  for (const place of card.places) {
    const after = replace(place);
    if (after !== undefined && after !== place.url) {
      edits.push({ start: place.start, end: place.end, text: JSON.stringify(after) });
    }
  }
  if (edits.length === 0) return { text, removedSignatures: undefined };
  const signatures = card.root.members
    .filter((member) => member.name === 'signatures')
    .map(({ value }) => text.slice(value.start, value.end));
  // An empty list signs nothing, and stays like everything else.
  const stale = signatures.findLast((list) => !/^\[\s*\]$/.test(list));
  if (stale === undefined) return { text: applyEdits(text, edits), removedSignatures: undefined };
  const unsigned = applyEdits(text, [...edits, ...removeMembers(card.root, 'signatures')]);
  const signed = withMember(unsigned, within, 'signatures', resign);
  return { text: signed ?? unsigned, resigned: signed !== undefined, removedSignatures: stale };
}

/** The card with one more member, at its end; undefined where `make` gives none. */
function withMember(
  text: string,
  within: 'root' | 'result',
  name: string,
  make: (card: JsonObject) => Json | undefined,
): string | undefined {
  const root = locate(text, within)?.root;
  const last = root?.members.at(-1);
  if (root === undefined || last === undefined) return undefined;
  const card: unknown = JSON.parse(text.slice(root.start, root.end));
  const value = isJsonObject(card) ? make(card) : undefined;
  if (value === undefined) return undefined;
  const at = last.value.end;
  return applyEdits(text, [
    { start: at, end: at, text: `,${JSON.stringify(name)}:${JSON.stringify(value)}` },
  ]);
}

/** The card as a value; undefined where there is none. */
export function cardValue(text: string, within: 'root' | 'result'): JsonObject | undefined {
  const root = locate(text, within)?.root;
  const card: unknown = root === undefined ? undefined : JSON.parse(text.slice(root.start, root.end));
  return isJsonObject(card) ? card : undefined;
}
