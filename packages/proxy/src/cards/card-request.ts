import { type Answer, cardAsBody, cardAsResult } from '../rewriting/answer.ts';

/** Largest JSON-RPC request that is looked at; a request for a card is far smaller. */
export const maxCallBytes = 16 * 1024;

const cardPaths = [
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  // A2A 1.0 section 11.3.4, 0.3 section 3.5.6, 0.2 section 7.10.
  '/extendedAgentCard',
  '/v1/card',
  '/agent/authenticatedExtendedCard',
];

/** Recognises a GET or HEAD of a card by its path alone: one of the protocol's, or one of `further`. */
export function cardRequestOf(
  method: string,
  target: string,
  further?: ReadonlySet<string>,
): Answer | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (further?.has(path) === true) return cardAsBody;
  return cardPaths.some((cardPath) => path.endsWith(cardPath)) ? cardAsBody : undefined;
}

const methods = new Set(['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard']);

/**
 * Recognises a JSON-RPC request for the extended card. Costs a byte search for every small request; only one
 * that holds the word is parsed.
 */
export function cardCallOf(body: Buffer): Answer | undefined {
  if (body.length > maxCallBytes || (!body.includes('ExtendedAgentCard') && !body.includes('ExtendedCard'))) {
    return undefined;
  }
  try {
    const call: unknown = JSON.parse(body.toString('utf8'));
    const method = typeof call === 'object' && call !== null && 'method' in call ? call.method : undefined;
    return typeof method === 'string' && methods.has(method) ? cardAsResult : undefined;
  } catch {
    // Not JSON, so no call: the callee will say so.
    return undefined;
  }
}
