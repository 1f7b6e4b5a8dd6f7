import type { SecretNames } from './names.ts';
import { percentDecode, type UrlFinding } from './url-secret.ts';

const none: UrlFinding = { kind: 'none' };

/** Header fields of a part are looked through no further, in bytes. */
const longestHead = 2048;
const headEnd = '\r\n\r\n';
/** Before each boundary (RFC 2046 section 5.1.1). */
export const partEnd = Buffer.from('\r\n--');

/**
 * The content of a part of `multipart/form-data` (RFC 7578) whose name says that it is secret. `equals` is where the `=`
 * is of a parameter of its `Content-Disposition`.
 */
export function partAt(bytes: Buffer, equals: number, names: SecretNames, final: boolean): UrlFinding {
  const start = bytes.toString('latin1', Math.max(0, equals - 96), equals);
  if (!/content-disposition:[^\r\n]*;[\t ]*name\*?$/i.test(start)) return none;
  const head = bytes.toString('latin1', equals + 1, equals + 1 + longestHead);
  const length = head.indexOf(headEnd);
  if (length === -1) return final || head.length === longestHead ? none : { kind: 'undecided' };
  const [, quoted, bare = ''] = /^(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/.exec(head) ?? [];
  const name = quoted ?? bare.replace(/^[\w-]*'[\w-]*'/, '');
  if (!names.field(percentDecode(name))) return none;
  const valueStart = equals + 1 + length + headEnd.length;
  const found = bytes.indexOf(partEnd, valueStart);
  if (found === -1 && !final) return { kind: 'undecided', start: valueStart };
  const valueEnd = found === -1 ? bytes.byteLength : found;
  return valueEnd === valueStart ? none : { kind: 'found', start: valueStart, end: valueEnd };
}
