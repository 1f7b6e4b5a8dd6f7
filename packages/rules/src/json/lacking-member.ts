import type { DecodedExchange } from '@plugfest/a2a';
import { documentsOf } from './documents.ts';
import { isMissing, required10 } from './required-members.ts';

/** The first member that a 1.0 request lacks although the proto requires it (section 5.7). */
export function lackingMember(
  exchange: DecodedExchange,
): { readonly type: string; readonly member: string } | undefined {
  for (const { side, objects } of documentsOf(exchange).all) {
    if (side !== 'request') continue;
    for (const object of objects) {
      const { type } = object;
      // Over HTTP+JSON ids stand in the path.
      const isInPath = exchange.dialect?.binding === 'HTTP+JSON' && type.endsWith('Request');
      if (isInPath && type !== 'SendMessageRequest') continue;
      const member = required10.get(type)?.find((name) => isMissing(object, name));
      if (member !== undefined) return { type, member };
    }
  }
  return undefined;
}
