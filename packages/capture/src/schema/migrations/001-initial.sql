-- Version 1. See docs/capture-schema.md. Comments inside the statements stay in sqlite_master, so that
-- `.schema` explains the file to whoever opens it by hand.

CREATE TABLE runs (
  -- One recording session. A capture has one, or more where a recorder continued a file.
  id          TEXT NOT NULL,
  seq         INTEGER PRIMARY KEY,   -- global sequence number at which the session began
  ended_ns    INTEGER,               -- NULL: still recording, or the recorder was killed
  redaction   TEXT NOT NULL,         -- 'on', or 'off' (--unsafe-raw: secrets are in the clear)
  redactions  INTEGER NOT NULL DEFAULT 0,  -- secrets replaced by tokens, written at the clean end
  recorder    TEXT NOT NULL,         -- JSON: version of plugfest, node and sqlite
  writer      TEXT NOT NULL          -- JSON: which process writes; tells a live writer from a killed one
);

CREATE TABLE clock (
  -- Anchors between the monotonic clock (at_ns) and the wall clock, which may step. The first row (by seq) is the
  -- start of the capture.
  seq      INTEGER PRIMARY KEY,
  at_ns    INTEGER NOT NULL,         -- nanoseconds since the first anchor
  wall_ms  REAL NOT NULL             -- milliseconds since 1970-01-01 UTC
);

CREATE TABLE participants (
  name   TEXT PRIMARY KEY,
  seq    INTEGER NOT NULL,
  at_ns  INTEGER NOT NULL,
  kind   TEXT NOT NULL,              -- agent, harness, reference, unknown
  about  TEXT
);

CREATE TABLE edges (
  -- A directed pair: caller opens requests, callee answers them.
  id        TEXT PRIMARY KEY,
  seq       INTEGER NOT NULL,
  at_ns     INTEGER NOT NULL,
  caller    TEXT NOT NULL,
  callee    TEXT NOT NULL,
  kind      TEXT NOT NULL,           -- a2a, webhook
  mode      TEXT NOT NULL,           -- alias, rewrite, forward, import
  upstream  TEXT                     -- base URL requests are forwarded to
);

CREATE TABLE connections (
  id              TEXT NOT NULL,
  seq             INTEGER PRIMARY KEY,
  at_ns           INTEGER NOT NULL,
  edge            TEXT NOT NULL,
  direction       TEXT NOT NULL,     -- inbound: caller to proxy; upstream: proxy to callee
  remote_address  TEXT,
  remote_port     INTEGER,
  local_port      INTEGER,
  closed_ns       INTEGER,
  detail          TEXT
);
CREATE INDEX connections_by_id ON connections (id);

CREATE TABLE exchanges (
  -- One request and what came of it. `seq` is the key that the other tables call `exchange`.
  seq           INTEGER PRIMARY KEY, -- global sequence number of the request head: order of observation
  id            TEXT NOT NULL UNIQUE,
  at_ns         INTEGER NOT NULL,
  edge          TEXT NOT NULL,
  caller        TEXT NOT NULL,       -- copied from the edge, for queries by hand
  callee        TEXT NOT NULL,
  cell          TEXT,                -- cell of the lab run
  purpose       TEXT NOT NULL,       -- normal; probe: the caller breaks rules on purpose
  connection    TEXT,
  method        TEXT NOT NULL,
  target        TEXT NOT NULL,       -- request target as received; secrets in it are tokens
  http_version  TEXT NOT NULL,
  synthetic     INTEGER NOT NULL DEFAULT 0  -- 1: the source had no times; order is known, durations are not
);

CREATE TABLE heads (
  exchange      INTEGER NOT NULL,    -- exchanges.seq
  side          TEXT NOT NULL,       -- request, response
  seq           INTEGER NOT NULL,
  at_ns         INTEGER NOT NULL,
  status        INTEGER,             -- response only
  reason        TEXT,
  http_version  TEXT NOT NULL,
  headers       TEXT NOT NULL,       -- JSON array: name, value, name, value, … in wire order, as received
  forwarded     TEXT,                -- the same as sent on; NULL where nothing changed
  PRIMARY KEY (exchange, side)
) WITHOUT ROWID;

CREATE TABLE informational (
  -- 1xx responses.
  seq       INTEGER PRIMARY KEY,
  exchange  INTEGER NOT NULL,
  at_ns     INTEGER NOT NULL,
  status    INTEGER NOT NULL,
  headers   TEXT NOT NULL            -- JSON array, as in heads
);

CREATE TABLE chunks (
  -- Body bytes as they crossed the wire, still content-encoded, in the pieces in which they came.
  seq       INTEGER PRIMARY KEY,
  exchange  INTEGER NOT NULL,        -- exchanges.seq
  side      TEXT NOT NULL,           -- request, response
  at_ns     INTEGER NOT NULL,
  size      INTEGER NOT NULL,        -- bytes on the wire
  lost      INTEGER NOT NULL,        -- of these, bytes that are not stored
  bytes     BLOB,                    -- what is stored; differs from the wire only where a secret became a token
  blob      TEXT                     -- or the sha256 in blobs
);
CREATE INDEX chunks_by_exchange ON chunks (exchange);

CREATE TABLE blobs (
  -- Large chunks, stored once however often they were sent.
  sha256  TEXT PRIMARY KEY,          -- hex, of `bytes`
  bytes   BLOB NOT NULL
);

CREATE TABLE bodies (
  -- Where a body ended, or what is known of one that did not end by itself.
  exchange     INTEGER NOT NULL,
  side         TEXT NOT NULL,
  seq          INTEGER NOT NULL,
  ended_ns     INTEGER,              -- NULL: cut off
  total_bytes  INTEGER NOT NULL,     -- bytes on the wire, stored or not
  redactions   INTEGER NOT NULL,     -- secrets replaced by tokens
  wire_sha256  TEXT,                 -- hex, of the wire bytes; only where the stored bytes differ from them
  PRIMARY KEY (exchange, side)
) WITHOUT ROWID;

CREATE TABLE trailers (
  exchange  INTEGER NOT NULL,
  side      TEXT NOT NULL,
  seq       INTEGER NOT NULL,
  at_ns     INTEGER NOT NULL,
  headers   TEXT NOT NULL,           -- JSON array, as in heads
  PRIMARY KEY (exchange, side)
) WITHOUT ROWID;

CREATE TABLE ends (
  -- How an exchange ended. No row: it was open when recording stopped.
  exchange  INTEGER PRIMARY KEY,
  seq       INTEGER NOT NULL,
  at_ns     INTEGER NOT NULL,
  kind      TEXT NOT NULL,           -- complete, client-abort, upstream-abort, reset, timeout, fault, shutdown
  detail    TEXT
);

CREATE TABLE changes (
  -- What the proxy altered on the way. The original is in the exchange itself.
  seq       INTEGER PRIMARY KEY,
  exchange  INTEGER NOT NULL,
  at_ns     INTEGER NOT NULL,
  side      TEXT NOT NULL,
  place     TEXT NOT NULL,           -- target, header, body, trailer
  location  TEXT,                    -- header name, or JSON pointer into the body
  before    TEXT,
  after     TEXT,
  reason    TEXT NOT NULL
);
CREATE INDEX changes_by_exchange ON changes (exchange);

CREATE TABLE gaps (
  -- Traffic that was seen but not stored, or may have been.
  seq          INTEGER NOT NULL,     -- not unique: one event can open several gaps
  at_ns        INTEGER NOT NULL,
  reason       TEXT NOT NULL,        -- unclean-shutdown, queue-full, body-cap, disk, decode
  exchange_id  TEXT,                 -- exchanges.id
  lost_bytes   INTEGER,
  detail       TEXT
);

CREATE TABLE notes (
  seq          INTEGER NOT NULL,     -- not unique
  at_ns        INTEGER NOT NULL,
  topic        TEXT NOT NULL,
  text         TEXT NOT NULL,
  exchange_id  TEXT,
  cell         TEXT
);

CREATE TABLE spans (
  -- OpenTelemetry spans: a projection of this log, replaced as a whole, no part of the capture's root.
  trace_id    TEXT NOT NULL,
  span_id     TEXT NOT NULL,
  parent      TEXT,
  name        TEXT NOT NULL,
  exchange_id TEXT,
  start_ns    INTEGER NOT NULL,
  end_ns      INTEGER NOT NULL,
  attributes  TEXT NOT NULL,         -- JSON object
  PRIMARY KEY (trace_id, span_id)
) WITHOUT ROWID;

CREATE VIEW traffic AS
  -- One line an exchange: who, what, how long, how it ended.
  SELECT e.seq, e.id, e.cell, e.caller, e.callee, e.method, e.target, h.status,
         round((coalesce(n.at_ns, h.at_ns) - e.at_ns) / 1e6, 3) AS ms,
         (SELECT coalesce(sum(size), 0) FROM chunks c WHERE c.exchange = e.seq AND c.side = 'request') AS request_bytes,
         (SELECT coalesce(sum(size), 0) FROM chunks c WHERE c.exchange = e.seq AND c.side = 'response') AS response_bytes,
         coalesce(n.kind, 'open') AS ended
  FROM exchanges e
  LEFT JOIN heads h ON h.exchange = e.seq AND h.side = 'response'
  LEFT JOIN ends n ON n.exchange = e.seq
  ORDER BY e.seq;

CREATE VIEW headers AS
  -- One line a header field, as received.
  SELECT h.exchange, h.side, n.value AS name, json_extract(h.headers, '$[' || (n.key + 1) || ']') AS value
  FROM heads h, json_each(h.headers) n
  WHERE n.key % 2 = 0;

CREATE VIEW texts AS
  -- Bodies as text, where they are not content-encoded.
  SELECT e.seq, e.id, s.side,
         (SELECT group_concat(piece, '') FROM (
            SELECT CAST(coalesce(c.bytes, b.bytes) AS TEXT) AS piece
              FROM chunks c LEFT JOIN blobs b ON b.sha256 = c.blob
             WHERE c.exchange = e.seq AND c.side = s.side ORDER BY c.seq)) AS body
  FROM exchanges e, (SELECT 'request' AS side UNION ALL SELECT 'response') s
  ORDER BY e.seq, s.side;
