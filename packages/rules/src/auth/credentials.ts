import type { CardView, DecodedExchange } from '@plugfest/a2a';
import { header, isJsonObject, type JsonObject } from '@plugfest/model';
import { alternativesOf, schemesOf } from './declared-security.ts';

/** `unseen`: a client certificate, or a scheme that Plugfest does not know; it may well be satisfied. */
export type Satisfaction = 'yes' | 'no' | 'unseen';

/** Text members of an object; an absent one is the empty text. */
const member = (owner: JsonObject, name: string): string => {
  const value = owner[name];
  return typeof value === 'string' ? value : '';
};

const bySeen = (seen: boolean): Satisfaction => (seen ? 'yes' : 'no');

function hasApiKey({ captured, request }: DecodedExchange, place: string, name: string): Satisfaction {
  const { headers } = captured.request;
  switch (place.toLowerCase()) {
    case 'header':
      return bySeen(header(headers, name) !== undefined);
    case 'query':
      return bySeen(request.query.some(([each]) => each === name));
    case 'cookie':
      // Cookies are redacted as a whole, so their names are not looked for.
      return bySeen(header(headers, 'cookie') !== undefined);
    default:
      return 'unseen';
  }
}

function hasAuthorization({ captured }: DecodedExchange, schemes: readonly string[]): Satisfaction {
  const value = header(captured.request.headers, 'authorization');
  if (value === undefined) return 'no';
  const used = value.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '';
  // A redacted value may show no scheme.
  return /^[a-z][a-z0-9-]{0,40}$/.test(used) ? bySeen(schemes.includes(used)) : 'yes';
}

/** Tokens of OAuth 2.0 and OpenID Connect travel as Bearer (RFC 6750) or DPoP (RFC 9449). */
export const tokenSchemes = ['bearer', 'dpop'] as const;

function satisfies(exchange: DecodedExchange, scheme: JsonObject | undefined): Satisfaction {
  if (scheme === undefined) return 'unseen';
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http } = scheme;
  if (isJsonObject(key)) return hasApiKey(exchange, member(key, 'location'), member(key, 'name'));
  if (isJsonObject(http)) return hasAuthorization(exchange, [member(http, 'scheme').toLowerCase()]);
  if ('oauth2SecurityScheme' in scheme || 'openIdConnectSecurityScheme' in scheme)
    return hasAuthorization(exchange, tokenSchemes);
  switch (scheme.type) {
    case 'apiKey':
      return hasApiKey(exchange, member(scheme, 'in'), member(scheme, 'name'));
    case 'http':
      return hasAuthorization(exchange, [member(scheme, 'scheme').toLowerCase()]);
    case 'oauth2':
    case 'openIdConnect':
      return hasAuthorization(exchange, tokenSchemes);
    default:
      return 'unseen';
  }
}

/** All of `yes`, or else the worst: `no` beats `unseen`. */
function allOf(found: readonly Satisfaction[]): Satisfaction {
  if (found.includes('no')) return 'no';
  return found.includes('unseen') ? 'unseen' : 'yes';
}

function anyOf(found: readonly Satisfaction[]): Satisfaction {
  if (found.includes('yes')) return 'yes';
  return found.includes('unseen') ? 'unseen' : 'no';
}

/** Does a call carry what one alternative of the card's requirements asks for? Undefined where the card asks for nothing. */
export function satisfiesRequirements(exchange: DecodedExchange, card: CardView): Satisfaction | undefined {
  const alternatives = alternativesOf(card);
  if (alternatives.length === 0 || alternatives.some((names) => names.length === 0)) return undefined;
  const schemes = schemesOf(card);
  return anyOf(
    alternatives.map((names) => allOf(names.map((name) => satisfies(exchange, schemes.get(name))))),
  );
}

/** Does a call carry credentials of some scheme that the card declares? Undefined where it declares none. */
export function satisfiesSomeScheme(exchange: DecodedExchange, card: CardView): Satisfaction | undefined {
  const schemes = [...schemesOf(card).values()];
  return schemes.length === 0 ? undefined : anyOf(schemes.map((scheme) => satisfies(exchange, scheme)));
}

const credentialNames =
  /^cookie$|^(?:proxy-)?authorization$|(?:^|[-_])(?:api-?key|key|token|secret|password|auth|authenticate|assertion|credentials?|signature|dpop|jwt)(?:$|[-_])|client-cert/i;

/** Headers or query parameters of the call look like credentials of some kind. Client certificates are not seen. */
export function seemsAuthenticated({ captured, request }: DecodedExchange): boolean {
  const { headers } = captured.request;
  return (
    headers.some((text, i) => i % 2 === 0 && credentialNames.test(text)) ||
    request.query.some(([name]) => credentialNames.test(name))
  );
}
