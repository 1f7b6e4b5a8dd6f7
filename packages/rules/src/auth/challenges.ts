import type { CardView } from '@plugfest/a2a';
import { headerValues, isJsonObject, type Json, type RawHeaders } from '@plugfest/model';
import { tokenSchemes } from './credentials.ts';
import { schemesOf } from './declared-security.ts';

/** Names of the schemes that the challenges of a response ask for, in lower case (RFC 9110 section 11.6.1). */
export function challengedSchemes(headers: RawHeaders): readonly string[] {
  return headerValues(headers, 'www-authenticate').flatMap((value) =>
    value
      .replace(/"(?:[^"\\]|\\.)*"?/g, '""')
      .split(',')
      .flatMap((item) => {
        // A name with `=` behind it is a parameter of the challenge before.
        const [, name] = /^\s*([!#$%&'*+.^_`|~\w-]+)(?![!#$%&'*+.^_`|~\w-]|\s*=)/.exec(item) ?? [];
        return name === undefined ? [] : [name.toLowerCase()];
      }),
  );
}

/**
 * Names of the HTTP schemes that a card declares, in lower case. Undefined where it declares what HTTP has no name for,
 * such as API keys and client certificates, so that any challenge may mean it.
 */
export function declaredHttpSchemes(card: CardView): readonly string[] | undefined {
  const found = card.version === '0.1' ? namesOf01(card) : [...schemesOf(card).values()].map(httpNamesOf);
  const names: string[] = [];
  for (const some of found) {
    if (some === undefined) return undefined;
    names.push(...some);
  }
  return names;
}

function httpNamesOf(scheme: Readonly<Record<string, Json>>): readonly string[] | undefined {
  if ('oauth2SecurityScheme' in scheme || 'openIdConnectSecurityScheme' in scheme) return tokenSchemes;
  if (scheme.type === 'oauth2' || scheme.type === 'openIdConnect') return tokenSchemes;
  const http = isJsonObject(scheme.httpAuthSecurityScheme) ? scheme.httpAuthSecurityScheme : scheme;
  const isHttp = http !== scheme || scheme.type === 'http';
  return isHttp && typeof http.scheme === 'string' && http.scheme !== ''
    ? [http.scheme.toLowerCase()]
    : undefined;
}

/** Names in a 0.1 card are free; these are the ones that HTTP has, too. */
const httpNames01: ReadonlySet<string> = new Set(['bearer', 'basic', 'digest', 'dpop']);

/** 0.1 section 5.5.3; early cards have a bare name in the place of the list. */
function namesOf01({ value }: CardView): readonly (readonly string[] | undefined)[] {
  const { authentication } = value;
  const schemes = isJsonObject(authentication) ? authentication.schemes : undefined;
  const names = typeof schemes === 'string' ? [schemes] : Array.isArray(schemes) ? schemes : [];
  return names.map((name: Json) => {
    const text = typeof name === 'string' ? name.toLowerCase() : '';
    if (text === 'oauth2' || text === 'openidconnect') return tokenSchemes;
    return httpNames01.has(text) ? [text] : undefined;
  });
}
