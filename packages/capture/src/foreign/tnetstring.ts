/** A value of a tnetstring: what mitmproxy keeps its flows in. Byte strings stay bytes. */
export type TnetValue =
  | null
  | boolean
  | number
  | string
  | Buffer
  | readonly TnetValue[]
  | ReadonlyMap<string, TnetValue>;

/** Deeper than any flow is. */
const deepest = 64;

/** Where and why a tnetstring could not be read. */
export class TnetError extends Error {
  readonly offset: number;
  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

/**
 * The values that follow one another in a file: `SIZE:PAYLOAD` and a letter for the type.
 * @throws TnetError where the bytes are none
 */
export function* tnetValues(bytes: Buffer): Generator<TnetValue> {
  let at = 0;
  while (at < bytes.length) {
    const { value, next } = read(bytes, at, bytes.length, 0);
    yield value;
    at = next;
  }
}

interface Read {
  readonly value: TnetValue;
  readonly next: number;
}

function read(bytes: Buffer, at: number, end: number, depth: number): Read {
  if (depth > deepest) throw new TnetError(at, `is nested deeper than ${deepest}`);
  const colon = bytes.subarray(at, Math.min(end, at + 12)).indexOf(0x3a);
  const digits = colon === -1 ? '' : bytes.toString('latin1', at, at + colon);
  if (!/^\d{1,10}$/.test(digits)) throw new TnetError(at, 'no size where a value should begin');
  const from = at + colon + 1;
  const to = from + Number(digits);
  if (to >= end) throw new TnetError(at, 'ends in the middle of a value');
  return { value: payloadOf(bytes, from, to, depth), next: to + 1 };
}

function payloadOf(bytes: Buffer, from: number, to: number, depth: number): TnetValue {
  const payload = bytes.subarray(from, to);
  const type = String.fromCharCode(bytes[to] ?? 0);
  switch (type) {
    case ',':
      return payload;
    case ';':
      return payload.toString('utf8');
    case '#':
    case '^':
      return Number(payload.toString('latin1'));
    case '!':
      return payload.toString('latin1') === 'true';
    case '~':
      return null;
    case ']':
      return [...sequence(bytes, from, to, depth)];
    case '}': {
      const members = [...sequence(bytes, from, to, depth)];
      const map = new Map<string, TnetValue>();
      for (let i = 0; i + 1 < members.length; i += 2) map.set(textOf(members[i]), members[i + 1] ?? null);
      return map;
    }
    default:
      throw new TnetError(to, `no type is written ${JSON.stringify(type)}`);
  }
}

function* sequence(bytes: Buffer, from: number, to: number, depth: number): Generator<TnetValue> {
  let at = from;
  while (at < to) {
    const { value, next } = read(bytes, at, to, depth + 1);
    yield value;
    at = next;
  }
}

const textOf = (key: TnetValue | undefined): string =>
  Buffer.isBuffer(key) ? key.toString('utf8') : String(key);
