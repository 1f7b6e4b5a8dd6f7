import type { Json } from '@plugfest/model';
import canonicalize from 'canonicalize';

/** A JSON value as RFC 8785 writes it; undefined for lone surrogates, which have no canonical form (section 3.2.2.2). */
export function canonicalJson(value: Json): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}
