import { isJsonObject } from '@plugfest/model';
import { printable } from './line-tail.ts';

/** As in a lab file. */
const maxOrigins = 16;

/** What a ready line says. */
export interface Ready {
  readonly card: string;
  /** Further addresses that the card leads to. */
  readonly origins: readonly string[];
}

/** Waits for the line by which an agent says that it serves (docs/lab-agents.md, section Start). */
export class ReadyLine {
  readonly said: Promise<Ready>;
  #last = '';
  readonly #found: (said: Ready) => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Ready>();
    this.said = promise;
    this.#found = resolve;
  }

  /** What it printed instead, made printable. */
  get last(): string {
    return printable(this.#last);
  }

  /** True once the line was there. */
  push(line: string): boolean {
    const said = readyIn(line);
    if (said !== undefined) this.#found(said);
    else if (line.trim() !== '') this.#last = line;
    return said !== undefined;
  }
}

function readyIn(text: string): Ready | undefined {
  // A flood of other lines costs no parsing.
  if (!text.trimStart().startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value.ready !== true || typeof value.card !== 'string') return undefined;
  if (httpUrl(value.card) === undefined) return undefined;
  const given = Array.isArray(value.origins) ? value.origins.slice(0, maxOrigins) : [];
  const origins = given.flatMap((each) => {
    const url = typeof each === 'string' ? httpUrl(each) : undefined;
    return url === undefined ? [] : [url.origin];
  });
  return { card: value.card, origins };
}

function httpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}
