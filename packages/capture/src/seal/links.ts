import { createHash } from 'node:crypto';
import type { SealedRecord } from './records.ts';

/** How links are made, as it stands in `seal.form`. */
export const sealForm = 'plugfest.seal/1';

/** Records to a link; the last of the same key makes it a few more. */
export const recordsPerLink = 256;

export const markBytes = 8;

/** A link of the chain, as `seal_links` has it. */
export interface Link {
  readonly section: string;
  readonly last: string;
  readonly records: number;
  readonly digest: string;
  readonly marks: Buffer;
}

/** Digests the records of one stretch. */
export class LinkHash {
  readonly #hash = createHash('sha256');
  #records = 0;

  constructor(before: string, section: string) {
    this.#hash.update(`${JSON.stringify([before, section])}\n`);
  }

  add({ digest }: SealedRecord): void {
    this.#hash.update(digest);
    this.#records += 1;
  }

  finish(last: string): string {
    return this.#hash.update(`${JSON.stringify([last, this.#records])}\n`).digest('hex');
  }
}

/** The root of a chain. */
export function rootOf(links: number, records: number, lastDigest: string): string {
  const text = `${JSON.stringify([sealForm, links, records, lastDigest])}\n`;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
