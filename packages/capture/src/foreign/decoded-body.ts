import type { Change, RawHeaders } from '@plugfest/model';
import { header } from '@plugfest/model';

const describing = ['content-encoding', 'content-length', 'transfer-encoding'];

/**
 * The head of a body that a tool had decoded: what speaks of its encoded form is taken out, and each is a change, so
 * that no rule judges what is not there.
 */
export function headOfDecodedBody(
  headers: RawHeaders,
  side: Change['side'],
): { readonly headers: RawHeaders; readonly changes: readonly Change[] } {
  if (!isEncoded(headers)) return { headers, changes: [] };
  const kept: string[] = [];
  const changes: Change[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2);
    if (!describing.includes(name.toLowerCase())) kept.push(name, value);
    else changes.push({ side, place: 'header', where: name, before: value, reason: 'decoded-by-source' });
  }
  return { headers: kept, changes };
}

export function isEncoded(headers: RawHeaders): boolean {
  const coding = header(headers, 'content-encoding')?.trim().toLowerCase();
  return coding !== undefined && coding !== '' && coding !== 'identity';
}
