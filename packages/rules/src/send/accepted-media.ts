const baseOf = (text: string): string => text.slice(0, 256).split(';', 1)[0]?.trim().toLowerCase() ?? '';

function fits(mode: string, type: string): boolean {
  if (mode === '*' || mode === '*/*' || mode === type) return true;
  const slash = mode.indexOf('/');
  // Names like `text` are from the time before media types: they are no reason to find fault.
  if (slash === -1) return mode !== 'text' || type.startsWith('text/');
  if (mode.endsWith('/*')) return type.startsWith(mode.slice(0, -1));
  // A structured suffix says that the general reader will do (RFC 6838 section 4.2.8).
  return mode === 'application/json' && type.endsWith('+json');
}

/** True where a media type is one of the modes, which may be wildcards; parameters do not count. */
export function isAccepted(modes: readonly string[], mediaType: string): boolean {
  const type = baseOf(mediaType);
  return modes.some((mode) => fits(baseOf(mode), type));
}
