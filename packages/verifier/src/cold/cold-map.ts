import { pack, UnpackedBlocks } from './block.ts';
import { KeyIndex } from './key-index.ts';

/** How many values are packed together: fewer take more space, more take longer to look into. */
const blockSize = 128;
const unpackedBlocks = 4;

/** Places of values that are not packed: not yet, or not any more. */
const neverPacked = 0;
const warmAgain = 0xffff_ffff;

/** How much is kept as it is; `Infinity`: nothing is ever packed. */
export interface Warmth {
  readonly warm?: number;
}

interface Warm<Value> {
  readonly value: Value;
  /** Of the key, in order of the first `set`. */
  readonly number: number;
}

type Packed<Value> = readonly [key: string, value: Value];

/**
 * A map for what is written for a while and then hardly looked at. Values that were not changed lately are packed, with
 * their keys; they come back as copies. Order is that of the first `set` of a key, as in any map.
 */
export class ColdMap<Value extends object> {
  /** Two generations of changed values: what is in the older one only when the younger is full has not been changed since. */
  #young = new Map<string, Warm<Value>>();
  #old = new Map<string, Warm<Value>>();
  /** Keys that were packed once. */
  readonly #index = new KeyIndex();
  /** By number of the key, where its value is packed, plus one, or one of the two above. */
  #places = new Uint32Array(1024);
  #size = 0;
  readonly #blocks = new Map<number, { readonly bytes: Buffer; alive: number }>();
  readonly #unpacked = new UnpackedBlocks(unpackedBlocks);
  readonly #warm: number;
  #nextBlock = 0;

  /** Values have to be plain data. `warm`: how many that were changed last stay as they are; up to twice as many do. */
  constructor({ warm = 1024 }: Warmth = {}) {
    this.#warm = warm;
  }

  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    return this.#warmOne(key) !== undefined || this.#numberOf(key) !== undefined;
  }

  /** For reading: what is done to the value may be lost. */
  get(key: string): Value | undefined {
    const warm = this.#warmOne(key);
    if (warm !== undefined) return warm.value;
    const number = this.#numberOf(key);
    return number === undefined ? undefined : this.#packed(number)[1];
  }

  /** For a change that is made right away. */
  edit(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young.value;
    let warm = this.#old.get(key);
    if (warm === undefined) {
      const number = this.#numberOf(key);
      if (number === undefined) return undefined;
      warm = { value: this.#packed(number)[1], number };
      this.#forget(number);
    }
    this.#keepWarm(key, warm);
    return warm.value;
  }

  set(key: string, value: Value): void {
    let number = this.#warmOne(key)?.number ?? this.#numberOf(key);
    if (number === undefined) {
      number = this.#size;
      this.#size += 1;
      if (number >= this.#places.length) {
        const places = new Uint32Array(2 * this.#places.length);
        places.set(this.#places);
        this.#places = places;
      }
    } else this.#forget(number);
    this.#keepWarm(key, { value, number });
  }

  *entries(): Generator<[key: string, value: Value]> {
    const warm = new Map<number, [key: string, value: Value]>();
    for (const generation of [this.#old, this.#young])
      for (const [key, { value, number }] of generation) warm.set(number, [key, value]);
    for (let number = 0; number < this.#size; number += 1) {
      const entry = warm.get(number);
      if (entry !== undefined) {
        yield entry;
        continue;
      }
      const [key, value] = this.#packed(number);
      yield [key, value];
    }
  }

  *values(): Generator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  #warmOne(key: string): Warm<Value> | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Of a key whose value is packed. */
  #numberOf(key: string): number | undefined {
    if (this.#nextBlock === 0) return undefined;
    return this.#index.find(key, (number) => this.#isPacked(number) && this.#packed(number)[0] === key);
  }

  #isPacked(number: number): boolean {
    const place = this.#places[number];
    return place !== neverPacked && place !== warmAgain;
  }

  #packed(number: number): Packed<Value> {
    const place = (this.#places[number] ?? 0) - 1;
    const index = Math.floor(place / blockSize);
    const block = this.#blocks.get(index);
    if (block === undefined) throw new Error(`no block ${index}`);
    return this.#unpacked.get(index, block.bytes)[place % blockSize] as Packed<Value>;
  }

  /** The packed value of a number is no longer the one that counts. */
  #forget(number: number): void {
    if (!this.#isPacked(number)) return;
    const place = this.#places[number] ?? 0;
    this.#places[number] = warmAgain;
    const index = Math.floor((place - 1) / blockSize);
    const block = this.#blocks.get(index);
    if (block === undefined || --block.alive > 0) return;
    this.#blocks.delete(index);
    this.#unpacked.delete(index);
  }

  #keepWarm(key: string, warm: Warm<Value>): void {
    this.#young.set(key, warm);
    if (this.#young.size < this.#warm) return;
    const cold: [string, Warm<Value>][] = [];
    for (const entry of this.#old) if (!this.#young.has(entry[0])) cold.push(entry);
    this.#old = this.#young;
    this.#young = new Map();
    for (let at = 0; at < cold.length; at += blockSize) this.#pack(cold.slice(at, at + blockSize));
  }

  #pack(entries: readonly (readonly [string, Warm<Value>])[]): void {
    const index = this.#nextBlock;
    this.#nextBlock += 1;
    const bytes = pack(entries.map(([key, { value }]): Packed<Value> => [key, value]));
    this.#blocks.set(index, { bytes, alive: entries.length });
    entries.forEach(([key, { number }], position) => {
      if (this.#places[number] === neverPacked) this.#index.add(key, number);
      this.#places[number] = index * blockSize + position + 1;
    });
  }
}
