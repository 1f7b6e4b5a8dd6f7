import { header, headerValues, parseTraceparent, type RawHeaders } from '@plugfest/model';

/** A trace id of the examples, and a `traceparent` of it. */
const exampleTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
export const traceparent = (span: string, trace = exampleTrace): string => `00-${trace}-${span}-01`;

export const traceIdIn = (headers: RawHeaders): string | undefined =>
  parseTraceparent(header(headers, 'traceparent'))?.traceId;

/** What is wrong with a head's `traceparent`, in words. Newer versions may have more fields. */
export function traceparentFault(headers: RawHeaders): string | undefined {
  const values = headerValues(headers, 'traceparent');
  if (values.length > 1) return 'is there more than once';
  const [value] = values;
  if (value === undefined || parseTraceparent(value) !== undefined) return undefined;
  if (value.startsWith('ff-')) return 'has the version ff';
  if (value.slice(2).startsWith(`-${'0'.repeat(32)}-`)) return 'has a trace id of zeros';
  if (value.slice(35).startsWith(`-${'0'.repeat(16)}-`)) return 'has a parent id of zeros';
  if (/[A-F]/.test(value)) return 'has upper-case letters';
  return 'is not version-traceid-parentid-flags in hexadecimal digits';
}

const key = /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$/;
const memberValue = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** What is wrong with a head's `tracestate` (W3C Trace Context section 3.3.1). Several fields make one list. */
export function tracestateFault(headers: RawHeaders): string | undefined {
  const members = headerValues(headers, 'tracestate')
    .join(',')
    .slice(0, longestState)
    .split(',')
    .map((member) => member.replace(/^[ \t]{1,64}|[ \t]{1,64}$/g, ''))
    .filter((member) => member !== '');
  if (members.length > 32) return 'has more than 32 members';
  const seen = new Set<string>();
  for (const member of members) {
    const equals = member.indexOf('=');
    const name = member.slice(0, Math.max(equals, 0));
    if (!key.test(name)) return 'has a member without a valid key';
    if (!memberValue.test(member.slice(equals + 1))) return 'has a member without a valid value';
    if (seen.has(name)) return 'has one key twice';
    seen.add(name);
  }
  return undefined;
}

/** 32 members of the greatest length. What is longer is faulty in what is left of it, and is not searched for blanks. */
const longestState = 16_512;
