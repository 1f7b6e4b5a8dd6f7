import type { DecodedExchange } from '@plugfest/a2a';
import { lackingField } from '../grpc/lacking-field.ts';
import { onceForEach } from '../last-exchange.ts';
import { paramsDefect } from '../rpc/params-defect.ts';
import { lackingInSent } from '../send/lacking-in-sent.ts';
import { documentsOf } from './documents.ts';
import { isMissing, required10 } from './required-members.ts';

export interface LackingMember {
  readonly type: string;
  readonly member: string;
}

/** The first member that a 1.0 request lacks although the proto requires it (section 5.7). */
export const lackingMember = onceForEach((exchange): LackingMember | undefined => {
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
});

/** A rule of the binding or of sends says that such a request is to be refused: SEND-021, RPC-015, GRPC-013. */
export function isLackSaidElsewhere(exchange: DecodedExchange): boolean {
  if (lackingInSent(exchange).length > 0) return true;
  switch (exchange.dialect?.binding) {
    case 'GRPC':
      return lackingField(exchange) !== undefined;
    case 'JSONRPC': {
      const id = exchange.request.rpc?.id;
      return (typeof id === 'string' || typeof id === 'number') && paramsDefect(exchange) !== undefined;
    }
    default:
      return false;
  }
}
