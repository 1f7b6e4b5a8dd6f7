/**
 * How much of a body Plugfest reads. Peers are not trusted: whatever lies beyond is reported as `too-large`,
 * never read further and never an error of the peer by itself.
 */
export const limits = {
  /** Bytes of one body, or of one stream event, before and after content decoding. */
  bodyBytes: 16 * 1024 * 1024,
  /** Nesting of arrays and objects. */
  depth: 256,
  /** Values (members and elements) of one JSON text. */
  values: 500_000,
  /** Events of one response stream. */
  events: 100_000,
  /** Duplicate member names that are listed for one JSON text. */
  duplicates: 64,
  /** Bytes that all compressed messages of one gRPC body make together. */
  inflatedBytes: 64 * 1024 * 1024,
  /** Content codings applied one over the other. */
  codings: 4,
} as const;
