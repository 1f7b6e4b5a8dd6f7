/** A JSON value by where it stands in its text, so that a value can be replaced without touching the rest. */
export type JsonNode =
  | {
      readonly kind: 'object';
      readonly start: number;
      readonly end: number;
      readonly members: readonly JsonMember[];
    }
  | {
      readonly kind: 'array';
      readonly start: number;
      readonly end: number;
      readonly items: readonly JsonNode[];
    }
  | { readonly kind: 'string' | 'other'; readonly start: number; readonly end: number };

export interface JsonMember {
  readonly name: string;
  /** Where the name's quote opens. */
  readonly start: number;
  readonly value: JsonNode;
}

export type JsonObjectNode = Extract<JsonNode, { kind: 'object' }>;

const maxDepth = 64;
const space = /[ \t\n\r]*/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Malformed extends Error {}

class Locator {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  whole(): JsonNode {
    // Parsers may ignore a byte order mark (RFC 8259 section 8.1).
    if (this.text.startsWith('\ufeff')) this.at = 1;
    const node = this.value(0);
    this.skipSpace();
    if (this.at !== this.text.length) throw new Malformed();
    return node;
  }

  private value(depth: number): JsonNode {
    if (depth > maxDepth) throw new Malformed();
    this.skipSpace();
    const start = this.at;
    switch (this.text[start]) {
      case '{': {
        const members: JsonMember[] = [];
        this.list('}', () => {
          const nameStart = this.at;
          const name = this.string();
          this.skipSpace();
          this.expect(':');
          members.push({ name, start: nameStart, value: this.value(depth + 1) });
        });
        return { kind: 'object', start, end: this.at, members };
      }
      case '[': {
        const items: JsonNode[] = [];
        this.list(']', () => items.push(this.value(depth + 1)));
        return { kind: 'array', start, end: this.at, items };
      }
      case '"':
        this.string();
        return { kind: 'string', start, end: this.at };
      default:
        this.match(literal);
        return { kind: 'other', start, end: this.at };
    }
  }

  private list(close: string, element: () => void): void {
    this.at++;
    this.skipSpace();
    if (this.text[this.at] === close) {
      this.at++;
      return;
    }
    for (;;) {
      this.skipSpace();
      element();
      this.skipSpace();
      if (this.text[this.at] === close) break;
      this.expect(',');
    }
    this.at++;
  }

  private string(): string {
    const { text } = this;
    const start = this.at;
    this.expect('"');
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (Number.isNaN(code) || code < 0x20) throw new Malformed();
      if (code === 0x22) break;
      if (code === 0x5c) this.match(escaped);
      else this.at++;
    }
    this.at++;
    return String(JSON.parse(text.slice(start, this.at)));
  }

  private match(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) throw new Malformed();
    this.at = pattern.lastIndex;
  }

  private skipSpace(): void {
    this.match(space);
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) throw new Malformed();
    this.at++;
  }
}

/** Where the values of a JSON text stand; undefined where the text is no JSON (RFC 8259) or nests too deeply. */
export function locateJson(text: string): JsonNode | undefined {
  try {
    return new Locator(text).whole();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** Value of a string node. */
export function stringAt(text: string, node: JsonNode): string {
  return String(JSON.parse(text.slice(node.start, node.end)));
}

/** Replacement of the characters from `start` to `end`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let out = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + text.slice(at);
}

/** Edits that take every member of that name out of an object, with the comma that goes with it. */
export function removeMembers(object: JsonObjectNode, name: string): TextEdit[] {
  const { members } = object;
  const lastKept = members.findLastIndex((member) => member.name !== name);
  const edits: TextEdit[] = [];
  for (const [i, member] of members.entries()) {
    if (i > lastKept) break;
    const next = members[i + 1];
    if (member.name === name && next !== undefined)
      edits.push({ start: member.start, end: next.start, text: '' });
  }
  const last = members.at(-1);
  if (last !== undefined && lastKept < members.length - 1) {
    const start = members[lastKept]?.value.end ?? object.start + 1;
    edits.push({ start, end: last.value.end, text: '' });
  }
  return edits;
}
