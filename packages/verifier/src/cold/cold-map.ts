import { pack, UnpackedBlocks } from './block.ts';

export interface ColdMapOptions<Value> {
  /** Values that were changed last and stay as they are; up to twice as many do. */
  readonly warm?: number;
  /** What of a value is plain data, and only its own. */
  readonly strip?: (value: Value) => unknown;
  /** Gives back what `strip` took. */
  readonly restore?: (stripped: unknown, key: string) => Value;
}

/** How many values are packed together: fewer take more space, more take longer to look into. */
const blockSize = 128;
const unpackedBlocks = 16;

/**
 * A map for what is written for a while and then hardly looked at. Values that were not changed lately are packed; they
 * come back as copies. Order is that of the first `set` of a key, as in any map.
 */
export class ColdMap<Value extends object> {
  /** The value, or the place of a packed one: block and position in it, as one number. */
  readonly #slots = new Map<string, Value | number>();
  readonly #blocks = new Map<number, { readonly bytes: Buffer; alive: number }>();
  readonly #unpacked = new UnpackedBlocks(unpackedBlocks);
  readonly #warm: number;
  readonly #strip: (value: Value) => unknown;
  readonly #restore: (stripped: unknown, key: string) => Value;
  #nextBlock = 0;
  /** Two generations of changed values: what is in the older one only when the younger is full has not been changed since. */
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor({ warm = 4096, strip, restore }: ColdMapOptions<Value> = {}) {
    this.#warm = warm;
    this.#strip = strip ?? ((value) => value);
    this.#restore = restore ?? ((stripped) => stripped as Value);
  }

  get size(): number {
    return this.#slots.size;
  }

  has(key: string): boolean {
    return this.#slots.has(key);
  }

  /** For reading: what is done to the value may be lost. */
  get(key: string): Value | undefined {
    const slot = this.#slots.get(key);
    return typeof slot === 'number' ? this.#unpack(slot, key) : slot;
  }

  /** For a change that is made right away. */
  edit(key: string): Value | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    let value: Value;
    if (typeof slot === 'number') {
      value = this.#unpack(slot, key);
      this.#slots.set(key, value);
      this.#forget(Math.floor(slot / blockSize));
    } else value = slot;
    this.#keepWarm(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    const slot = this.#slots.get(key);
    if (typeof slot === 'number') this.#forget(Math.floor(slot / blockSize));
    this.#slots.set(key, value);
    this.#keepWarm(key, value);
  }

  *entries(): Generator<[key: string, value: Value]> {
    for (const [key, slot] of this.#slots)
      yield [key, typeof slot === 'number' ? this.#unpack(slot, key) : slot];
  }

  *values(): Generator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  #unpack(slot: number, key: string): Value {
    const index = Math.floor(slot / blockSize);
    const block = this.#blocks.get(index);
    if (block === undefined) throw new Error(`no block ${index}`);
    return this.#restore(this.#unpacked.get(index, block.bytes)[slot % blockSize], key);
  }

  #forget(index: number): void {
    const block = this.#blocks.get(index);
    if (block === undefined || --block.alive > 0) return;
    this.#blocks.delete(index);
    this.#unpacked.delete(index);
  }

  #keepWarm(key: string, value: Value): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#warm) return;
    const cold: [string, Value][] = [];
    for (const entry of this.#old) if (!this.#young.has(entry[0])) cold.push(entry);
    this.#old = this.#young;
    this.#young = new Map();
    for (let at = 0; at < cold.length; at += blockSize) this.#pack(cold.slice(at, at + blockSize));
  }

  #pack(entries: readonly (readonly [string, Value])[]): void {
    const index = this.#nextBlock;
    this.#nextBlock += 1;
    const bytes = pack(entries.map(([, value]) => this.#strip(value)));
    this.#blocks.set(index, { bytes, alive: entries.length });
    entries.forEach(([key], position) => {
      this.#slots.set(key, index * blockSize + position);
    });
  }
}
