import type { PartView } from '@plugfest/a2a';

/** How much of a text is searched, in UTF-16 units, and how many URLs in it. */
const searched = 16_384;
const urlsLookedAt = 16;

/** The URL begins an OAuth 2.0 authorization: it has the parameters that RFC 6749 section 4.1.1 requires. */
function isAuthorizationUrl(text: string): boolean {
  const query = URL.parse(text)?.searchParams;
  return query?.has('response_type') === true && query.has('client_id');
}

/** Pointers of the parts that ask the user to authorise something: a text or URL that begins an OAuth 2.0 flow. */
export function authorizationRequests(parts: readonly PartView[]): readonly string[] {
  return parts
    .filter(({ text }) => {
      if (text === undefined || !text.includes('response_type=')) return false;
      const urls = text.slice(0, searched).matchAll(/https?:\/\/[^\s"'<>()]{1,2048}/g);
      return urls.take(urlsLookedAt).some(([url]) => isAuthorizationUrl(url));
    })
    .map(({ pointer }) => pointer);
}
