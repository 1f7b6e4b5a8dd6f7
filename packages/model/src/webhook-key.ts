/** Scheme-less form of a webhook's URL, for comparing a registered one with the one that was called. */
export function webhookKey(url: string): string {
  const fragment = url.indexOf('#');
  return (fragment === -1 ? url : url.slice(0, fragment)).replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
}
