/**
 * A URL or path without the slashes at its end. A loop, because `/\/+$/` looks at every slash of a long run once for
 * each slash before it, and URLs come from peers.
 */
export function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
