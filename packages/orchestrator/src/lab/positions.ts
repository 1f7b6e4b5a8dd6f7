import { type Document, isCollection, isMap, isNode, isPair, isScalar, type LineCounter } from 'yaml';

export type KeyPath = readonly PropertyKey[];

/** `file:line:column` of values and keys in a YAML document. */
export class Positions {
  readonly #file: string;
  readonly #document: Document;
  readonly #lines: LineCounter;

  constructor(file: string, document: Document, lines: LineCounter) {
    this.#file = file;
    this.#document = document;
    this.#lines = lines;
  }

  /** The value at a path; where it is missing, the innermost thing around it that is there. */
  value(path: KeyPath): string {
    for (let length = path.length; length > 0; length -= 1) {
      const node = this.#document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return this.offset(node.range[0]);
    }
    return this.offset(this.#document.contents?.range?.[0] ?? 0);
  }

  key(path: KeyPath): string {
    const parent = path.length > 1 ? this.#document.getIn(path.slice(0, -1), true) : this.#document.contents;
    const name = path.at(-1);
    if (isCollection(parent) && isMap(parent)) {
      for (const pair of parent.items) {
        if (isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(name) && pair.key.range)
          return this.offset(pair.key.range[0]);
      }
    }
    return this.value(path);
  }

  /** A scalar as the file has it; undefined where there is none. */
  written(path: KeyPath): string | undefined {
    const node = this.#document.getIn(path, true);
    return isScalar(node) ? node.source : undefined;
  }

  offset(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  }
}

/** A path as people write it: `agents.amber.bindings[0]`. */
export function pathText(path: KeyPath): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`,
    )
    .join('');
}
