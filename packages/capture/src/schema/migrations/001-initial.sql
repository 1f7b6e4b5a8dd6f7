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
) WITHOUT ROWID;

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
) WITHOUT ROWID;

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

CREATE TABLE header_lists (
  -- Header fields in wire order, each list once a session: callers and callees send the same ones again and again.
  id      INTEGER PRIMARY KEY,
  fields  TEXT NOT NULL              -- JSON array: name, value, name, value, …
);

CREATE TABLE change_lists (
  -- What the proxy altered in a head, each list once a session.
  id       INTEGER PRIMARY KEY,
  changes  TEXT NOT NULL             -- JSON array of objects: side, place, where, before, after, reason
);

CREATE TABLE exchanges (
  -- One request and what came of it. `seq` is the key that the other tables call `exchange`. The views heads, ends,
  -- chunks, bodies and changes show its parts one by one.
  seq                 INTEGER PRIMARY KEY, -- global sequence number of the request head: order of observation
  id                  TEXT NOT NULL UNIQUE,
  at_ns               INTEGER NOT NULL,
  edge                TEXT NOT NULL,
  caller              TEXT NOT NULL,       -- copied from the edge, for queries by hand
  callee              TEXT NOT NULL,
  cell                TEXT,                -- cell of the lab run
  purpose             TEXT NOT NULL,       -- normal; probe: the caller breaks rules on purpose
  connection          TEXT,
  method              TEXT NOT NULL,
  target              TEXT NOT NULL,       -- request target as received; secrets in it are tokens
  http_version        TEXT NOT NULL,
  synthetic           INTEGER NOT NULL,    -- what the source did not have: 1 any times, 2 times within an exchange, 4 trailers
  request_headers     INTEGER NOT NULL,    -- header_lists.id: as received
  request_forwarded   INTEGER,             -- header_lists.id: as sent on; NULL where nothing changed
  request_changes     INTEGER,             -- change_lists.id: what changed, and why
  request_ended_ns    INTEGER,             -- when the body ended; NULL: cut off, or still open
  response_seq        INTEGER,             -- global sequence number of the response head; NULL: there was none
  response_ns         INTEGER,
  status              INTEGER,
  reason              TEXT,
  response_version    TEXT,
  response_headers    INTEGER,
  response_forwarded  INTEGER,
  response_changes    INTEGER,
  response_ended_ns   INTEGER,
  end_seq             INTEGER,             -- NULL: the exchange was open when recording stopped
  end_ns              INTEGER,
  ended               TEXT,                -- complete, client-abort, upstream-abort, reset, timeout, fault, shutdown
  end_detail          TEXT,
  request_body_seq    INTEGER,             -- a small body that came in one piece; any other is in body_chunks
  request_body_ns     INTEGER,
  request_body_size   INTEGER,             -- bytes on the wire
  request_body        BLOB,                -- what is stored; differs from the wire only where a secret became a token
  response_body_seq   INTEGER,
  response_body_ns    INTEGER,
  response_body_size  INTEGER,
  response_body       BLOB
);

CREATE TABLE informational (
  -- 1xx responses.
  seq       INTEGER PRIMARY KEY,
  exchange  INTEGER NOT NULL,
  at_ns     INTEGER NOT NULL,
  status    INTEGER NOT NULL,
  headers   TEXT NOT NULL            -- JSON array, as in heads
);

CREATE TABLE body_chunks (
  -- Body bytes as they crossed the wire, still content-encoded, in the pieces in which they came, where they are not
  -- in the exchange's own row.
  seq       INTEGER PRIMARY KEY,
  exchange  INTEGER NOT NULL,        -- exchanges.seq
  side      TEXT NOT NULL,           -- request, response
  at_ns     INTEGER NOT NULL,
  size      INTEGER NOT NULL,        -- bytes on the wire
  lost      INTEGER NOT NULL,        -- of these, bytes that are not stored
  bytes     BLOB,                    -- what is stored; differs from the wire only where a secret became a token
  blob      TEXT                     -- or the sha256 in blobs
);
CREATE INDEX body_chunks_by_exchange ON body_chunks (exchange);

CREATE TABLE blobs (
  -- Large chunks, stored once however often they were sent.
  sha256  TEXT PRIMARY KEY,          -- hex, of `bytes`
  bytes   BLOB NOT NULL
);

CREATE TABLE altered_bodies (
  -- Bodies that are not stored as they crossed the wire.
  exchange     INTEGER NOT NULL,
  side         TEXT NOT NULL,
  redactions   INTEGER NOT NULL,     -- secrets replaced by tokens
  wire_sha256  TEXT,                 -- hex, of the wire bytes
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

CREATE TABLE further_changes (
  -- What the proxy altered on the way, other than together with a head. The original is in the exchange itself.
  seq       INTEGER NOT NULL,
  exchange  INTEGER NOT NULL,
  at_ns     INTEGER NOT NULL,
  side      TEXT NOT NULL,
  place     TEXT NOT NULL,           -- target, header, body, trailer
  location  TEXT,                    -- header name, or JSON pointer into the body
  before    TEXT,
  after     TEXT,
  reason    TEXT NOT NULL,
  PRIMARY KEY (exchange, seq)
) WITHOUT ROWID;

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

CREATE VIEW heads AS
  -- One line a head; header lists as JSON.
  SELECT e.seq AS exchange, 'request' AS side, e.seq, e.at_ns, NULL AS status, NULL AS reason, e.http_version,
         h.fields AS headers, f.fields AS forwarded
  FROM exchanges e
  LEFT JOIN header_lists h ON h.id = e.request_headers
  LEFT JOIN header_lists f ON f.id = e.request_forwarded
  UNION ALL
  SELECT e.seq, 'response', e.response_seq, e.response_ns, e.status, e.reason, e.response_version, h.fields, f.fields
  FROM exchanges e
  LEFT JOIN header_lists h ON h.id = e.response_headers
  LEFT JOIN header_lists f ON f.id = e.response_forwarded
  WHERE e.response_seq IS NOT NULL;

CREATE VIEW ends AS
  -- How an exchange ended. No line: it was open when recording stopped.
  SELECT seq AS exchange, end_seq AS seq, end_ns AS at_ns, ended AS kind, end_detail AS detail
  FROM exchanges WHERE end_seq IS NOT NULL;

CREATE VIEW chunks AS
  -- One line a piece of a body, wherever it is stored.
  SELECT c.seq, c.exchange, c.side, c.at_ns, c.size, c.lost, coalesce(c.bytes, b.bytes) AS bytes
  FROM body_chunks c LEFT JOIN blobs b ON b.sha256 = c.blob
  UNION ALL
  SELECT request_body_seq, seq, 'request', request_body_ns, request_body_size, 0, request_body
  FROM exchanges WHERE request_body_seq IS NOT NULL
  UNION ALL
  SELECT response_body_seq, seq, 'response', response_body_ns, response_body_size, 0, response_body
  FROM exchanges WHERE response_body_seq IS NOT NULL;

CREATE VIEW changes AS
  -- One line for each thing that the proxy altered.
  SELECT e.seq AS exchange, e.seq, e.at_ns, c.value ->> '$.side' AS side, c.value ->> '$.place' AS place,
         c.value ->> '$.where' AS location, c.value ->> '$.before' AS before, c.value ->> '$.after' AS after,
         c.value ->> '$.reason' AS reason
  FROM exchanges e JOIN change_lists l ON l.id = e.request_changes, json_each(l.changes) c
  UNION ALL
  SELECT e.seq, e.response_seq, e.response_ns, c.value ->> '$.side', c.value ->> '$.place', c.value ->> '$.where',
         c.value ->> '$.before', c.value ->> '$.after', c.value ->> '$.reason'
  FROM exchanges e JOIN change_lists l ON l.id = e.response_changes, json_each(l.changes) c
  UNION ALL
  SELECT exchange, seq, at_ns, side, place, location, before, after, reason FROM further_changes;

CREATE VIEW bodies AS
  -- One line a side: bytes on the wire, when the body ended by itself, and what is not stored as it came.
  SELECT e.seq AS exchange, s.side,
         CASE s.side WHEN 'request' THEN e.request_ended_ns ELSE e.response_ended_ns END AS ended_ns,
         coalesce(CASE s.side WHEN 'request' THEN e.request_body_size ELSE e.response_body_size END, 0)
           + (SELECT coalesce(sum(size), 0) FROM body_chunks c WHERE c.exchange = e.seq AND c.side = s.side) AS total_bytes,
         coalesce(a.redactions, 0) AS redactions, a.wire_sha256
  FROM exchanges e JOIN (SELECT 'request' AS side UNION ALL SELECT 'response') s
  LEFT JOIN altered_bodies a ON a.exchange = e.seq AND a.side = s.side;

CREATE VIEW traffic AS
  -- One line an exchange: who, what, how long, how it ended.
  SELECT e.seq, e.id, e.cell, e.caller, e.callee, e.method, e.target, e.status,
         round((coalesce(e.end_ns, e.response_ns) - e.at_ns) / 1e6, 3) AS ms,
         (SELECT total_bytes FROM bodies b WHERE b.exchange = e.seq AND b.side = 'request') AS request_bytes,
         (SELECT total_bytes FROM bodies b WHERE b.exchange = e.seq AND b.side = 'response') AS response_bytes,
         coalesce(e.ended, 'open') AS ended
  FROM exchanges e
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
            SELECT CAST(c.bytes AS TEXT) AS piece FROM chunks c
             WHERE c.exchange = e.seq AND c.side = s.side ORDER BY c.seq)) AS body
  FROM exchanges e, (SELECT 'request' AS side UNION ALL SELECT 'response') s
  ORDER BY e.seq, s.side;
