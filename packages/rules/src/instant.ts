/** A date-time with zone, split so that no digit of the fraction is lost. */
interface Instant {
  readonly ms: number;
  /** Digits after the decimal point, as written. */
  readonly fraction: string;
}

const pattern = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

function instant(text: string): Instant | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, seconds = '', fraction = '', zone = ''] = match;
  const ms = Date.parse(seconds + zone);
  return Number.isNaN(ms) ? undefined : { ms, fraction };
}

/**
 * Compares two timestamps as instants, at the coarser precision of the two: a server may show one time with and
 * without its fraction. Negative where `a` is earlier; undefined where one is no date-time with zone.
 */
export function compareInstants(a: string, b: string): number | undefined {
  const [left, right] = [instant(a), instant(b)];
  if (left === undefined || right === undefined) return undefined;
  if (left.ms !== right.ms) return left.ms - right.ms;
  const digits = Math.min(left.fraction.length, right.fraction.length);
  return Number(left.fraction.slice(0, digits)) - Number(right.fraction.slice(0, digits));
}

export function isInstant(text: string | undefined): text is string {
  return text !== undefined && instant(text) !== undefined;
}
