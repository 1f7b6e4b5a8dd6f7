-- Version 2: a capture can be sealed. Both tables are empty until then.

CREATE TABLE seal (
  -- One row in a sealed capture: nothing may be added to it any more, and nothing in it altered unseen.
  root     TEXT NOT NULL,            -- sha256:… over all links: who knows it can tell this capture from any other
  form     TEXT NOT NULL,            -- how the links are made
  links    INTEGER NOT NULL,
  records  INTEGER NOT NULL
);

CREATE TABLE seal_links (
  -- A chain over the whole content, stretch by stretch: of the traffic in the order of observation, then of what it
  -- refers to. Each link includes the one before it.
  ordinal  INTEGER PRIMARY KEY,
  section  TEXT NOT NULL,            -- file: the schema; traffic: whatever has a sequence number; or the name of a table
  last     TEXT NOT NULL,            -- key of the last record of the stretch: in traffic, a sequence number
  records  INTEGER NOT NULL,
  digest   TEXT NOT NULL,            -- hex SHA-256 of the link before and of the digests of the records
  marks    BLOB NOT NULL             -- the first 8 bytes of each record's digest, which tell the record that was altered
);
