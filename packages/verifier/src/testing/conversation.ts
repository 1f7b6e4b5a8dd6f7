import { type DecodedExchange, decodeExchange } from '@plugfest/a2a';
import type { CapturedExchange, Purpose } from '@plugfest/model';
import { Conversation } from '../conversation.ts';
import type { HttpExampleExchange } from '../examples/example.ts';
import { captured } from './captured.ts';

/** Decoded as a capture would give them, one each second. */
export const decoded = (...exchanges: readonly HttpExampleExchange[]): readonly DecodedExchange[] =>
  captured(exchanges).map((exchange) => decodeExchange(exchange));

/** The one exchange, decoded. */
export function decodedOne(
  exchange: HttpExampleExchange,
  more: { readonly cell?: string; readonly purpose?: Purpose } = {},
  change: (exchange: CapturedExchange) => CapturedExchange = (same) => same,
): DecodedExchange {
  const [first] = captured([exchange], more);
  if (first === undefined) throw new Error('nothing captured');
  return decodeExchange(change(first));
}

/** What exchanges make, one each second. */
export function conversationOf(...exchanges: readonly HttpExampleExchange[]): Conversation {
  return conversationOfDecoded(...decoded(...exchanges));
}

export function conversationOfDecoded(...exchanges: readonly DecodedExchange[]): Conversation {
  const conversation = new Conversation();
  for (const exchange of exchanges) conversation.add(exchange);
  return conversation;
}
