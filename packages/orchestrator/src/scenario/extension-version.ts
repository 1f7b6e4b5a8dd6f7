/** The URI of another version of an extension: `…/v1` becomes `…/v2` (A2A 1.0 section 4.6.3). */
export const anotherVersion = (uri: string): string =>
  /\d$/.test(uri) ? uri.replace(/\d+$/, (number) => String(Number(number) + 1)) : `${uri}/v2`;
