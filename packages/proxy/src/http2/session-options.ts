/**
 * What one peer may make a session hold. A connection carries at most 512 streams with 128 kB each that nobody has
 * read; Node.js and nghttp2 bound the rest: 1000 unanswered SETTINGS or PING frames, 1000 resets at once and 33 a
 * second after that (CVE-2023-44487), and 8 CONTINUATION frames.
 */
const windowBytes = 128 * 1024;

export const maxConcurrentStreams = 512;

/** Most bytes of header fields in one head, as in HTTP/1.1. Counted as RFC 9113 section 10.5.1 has it. */
const maxHeadBytes = 64 * 1024;

const common = {
  // Fields beyond a number would end the stream; the size of the head bounds them all.
  maxHeaderListPairs: 4096,
  maxSendHeaderBlockLength: 2 * maxHeadBytes,
  // The callee decides what it makes of a field that came twice.
  strictSingleValueFields: false,
  maxSessionMemory: 64,
} as const;

export const inboundOptions = {
  ...common,
  streamResetBurst: 1000,
  streamResetRate: 33,
  settings: {
    initialWindowSize: windowBytes,
    maxConcurrentStreams,
    maxHeaderListSize: maxHeadBytes,
    enablePush: false,
  },
} as const;

export const upstreamOptions = {
  ...common,
  settings: { initialWindowSize: windowBytes, maxHeaderListSize: maxHeadBytes, enablePush: false },
} as const;

/** What may be under way on a whole connection before its reader has had a turn. */
export const connectionWindowBytes = 1024 * 1024;
