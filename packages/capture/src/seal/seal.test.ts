import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchangeId, isPlugfestError, runId } from '@plugfest/model';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCaptureSource } from '../reader/open.ts';
import { columnsOf } from '../schema/schema.ts';
import { writeSpans } from '../spans.ts';
import { recordEdge, recordExchange } from '../testing/traffic.ts';
import { moveCapture } from '../writer/move.ts';
import { openCapture } from '../writer/open.ts';
import { checkSeal } from './check.ts';
import { isInSeal } from './records.ts';
import { sealCapture } from './seal.ts';

let folder: string;
let sealed: Buffer;
let root: string;
let trafficRoot: string;
let file: string;

const exchanges = 40;

async function record(path: string): Promise<void> {
  const sink = openCapture({ file: path, run: runId('run-1') });
  recordEdge(sink);
  sink.record({
    kind: 'connection-open',
    connection: 'c1' as never,
    edge: 'client -> agent' as never,
    direction: 'inbound',
  });
  for (let i = 0; i < exchanges; i += 1)
    recordExchange(sink, {
      id: `x${i}`,
      request: { headers: ['X-Count', String(i)], chunks: [`{"n":${i}}`] },
      response: { chunks: ['data: 1\n\n', 'data: 2\n\n', Buffer.alloc(i === 3 ? 70_000 : 300, i)] },
    });
  const exchange = exchangeId('x1');
  const put = sink.record.bind(sink);
  put({ kind: 'trailers', exchange, side: 'response', headers: ['A', 'b'] });
  put({ kind: 'informational', exchange, status: 103, headers: ['Link', '<a>'] });
  const change = { side: 'response', place: 'body', where: '/a', after: 'b', reason: 'test' } as const;
  put({ kind: 'change', exchange, change });
  put({ kind: 'gap', gap: { reason: 'body-cap', exchange, lostBytes: 3 } });
  put({ kind: 'note', topic: 'test', text: 'a note', exchange });
  put({
    ...{ kind: 'request-head', exchange: exchangeId('changed'), edge: 'client -> agent' as never },
    ...{ method: 'POST', target: '/?api_key=secret-of-this-test', httpVersion: '1.1' },
    ...{ headers: ['Host', 'a'], forwardedHeaders: ['Host', 'b'] },
    changes: [{ side: 'request', place: 'header', where: 'Host', before: 'a', after: 'b', reason: 'host' }],
  });
  const body = Buffer.from('{"password":"secret-of-this-test"}');
  put({ kind: 'chunk', exchange: exchangeId('changed'), side: 'request', bytes: body });
  put({ kind: 'end', exchange: exchangeId('changed'), end: 'client-abort' });
  await sink.close();
}

/** Something to seal in every table. */
async function complete(path: string): Promise<void> {
  await record(path);
  const id = 'a'.repeat(32);
  writeSpans(path, [
    { traceId: id, spanId: 'b'.repeat(16), name: 'span', startNs: 1, endNs: 2, attributes: { a: 1 } },
  ]);
}

const rootOfTraffic = (path: string): string => {
  const source = openCaptureSource(path);
  try {
    return source.info.root;
  } finally {
    source.close();
  }
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  const made = join(folder, 'sealed.sqlite');
  await complete(made);
  trafficRoot = rootOfTraffic(made);
  ({ root } = sealCapture(made));
  sealed = readFileSync(made);
  file = join(folder, 'altered.sqlite');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The seal's opinion on the capture after some SQL. */
function after(sql: string, ...values: unknown[]): readonly string[] {
  writeFileSync(file, sealed);
  const db = new Database(file);
  try {
    db.unsafeMode(true);
    db.pragma('synchronous = OFF');
    db.pragma('journal_mode = MEMORY');
    db.pragma('writable_schema = ON');
    if (values.length > 0) db.prepare(sql).run(...values);
    else db.exec(sql);
  } finally {
    db.close();
  }
  return checkSeal(file).alterations;
}

/** Every table of a capture. */
function tables(): readonly string[] {
  const db = new Database(join(folder, 'sealed.sqlite'), { readonly: true });
  try {
    return db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  } finally {
    db.close();
  }
}

/** All that SQL says of a file, read without the code that is tested; an error where it cannot be read. */
function dump(path: string): string {
  const db = new Database(path, { readonly: true });
  try {
    const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    const schema = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').raw().all();
    const rows = names.map((name) =>
      db
        .prepare(`SELECT * FROM ${name}`)
        .raw()
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    );
    return JSON.stringify([schema, db.pragma('user_version'), db.pragma('application_id'), names, rows]);
  } finally {
    db.close();
  }
}

describe('a sealed capture', () => {
  it('is what was sealed, and its traffic has the root that it had before', () => {
    writeFileSync(file, sealed);
    expect(checkSeal(file, { root })).toMatchObject({ root, alterations: [], omitted: 0 });
    expect(rootOfTraffic(file)).toBe(trafficRoot);
    expect(root).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(root).not.toBe(trafficRoot);
  });

  it('has something of every table in its chain', () => {
    const own = new Set(['seal', 'seal_links']);
    expect(tables().filter((name) => !own.has(name) && !isInSeal(name))).toEqual([]);
    const db = new Database(join(folder, 'sealed.sqlite'), { readonly: true });
    for (const name of tables())
      expect(db.prepare(`SELECT count(*) > 0 FROM ${name}`).pluck().get(), name).toBe(1);
    db.close();
  });

  it('has the same root each time, and after VACUUM', async () => {
    const path = join(folder, 'copy.sqlite');
    writeFileSync(path, sealed);
    const db = new Database(path);
    db.exec('DELETE FROM seal; DELETE FROM seal_links; VACUUM');
    db.close();
    expect(sealCapture(path)).toMatchObject({ root });
    const again = new Database(path);
    again.exec('VACUUM');
    again.close();
    expect(checkSeal(path, { root }).alterations).toEqual([]);
  });

  it('can be read by its owner only, and written by nobody', () => {
    expect(statSync(join(folder, 'sealed.sqlite')).mode & 0o777).toBe(0o400);
  });

  it('takes no further session, no spans, no second seal, and is not replaced', () => {
    writeFileSync(file, sealed);
    const bytes = readFileSync(file);
    const code = (action: () => unknown): string => {
      try {
        action();
        return 'done';
      } catch (error) {
        return isPlugfestError(error) ? error.code : String(error);
      }
    };
    const other = join(folder, 'other.sqlite');
    copyFileSync(file, other);
    for (const action of [
      () => openCapture({ file, run: runId('run-2'), existing: 'continue' }),
      () => openCapture({ file, run: runId('run-2'), existing: 'replace' }),
      () => writeSpans(file, []),
      () => sealCapture(file),
      () => moveCapture(other, file, 'replace'),
    ])
      expect(code(action)).toBe('PLUGFEST_CAPTURE_SEALED');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

describe('whatever is altered in a sealed capture', () => {
  it('is found: any column of any table', () => {
    for (const table of tables())
      for (const [column, { type }] of columnsOf(table)) {
        const only = ` WHERE rowid = (SELECT max(rowid) FROM ${table})`;
        const db = new Database(join(folder, 'sealed.sqlite'), { readonly: true });
        const isRowid = !db
          .prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?')
          .pluck()
          .get(table)
          ?.includes('WITHOUT ROWID');
        db.close();
        const wrong = type === 'TEXT' ? 'other' : type === 'BLOB' ? Buffer.from([1]) : 987_654_321;
        const sql = `UPDATE OR REPLACE ${table} SET ${column} = ?${isRowid ? only : ''}`;
        expect(after(sql, wrong), `${table}.${column}`).not.toEqual([]);
      }
  }, 60_000);

  it('is found: a row removed, and a row added', () => {
    for (const table of tables()) {
      const alterations = after(`DELETE FROM ${table}`);
      if (table === 'seal') expect(checkSeal(file).root).toBeUndefined();
      else expect(alterations, table).not.toEqual([]);
    }
    const gap = "INSERT INTO gaps SELECT seq + 1, at_ns, reason, NULL, NULL, 'later' FROM gaps LIMIT 1";
    expect(after(gap)).toEqual([expect.stringMatching(/^record \d+ \(gaps\): 1 record added$|altered/)]);
    expect(after("INSERT INTO notes VALUES (999999, 1, 'a', 'b', NULL, NULL)")).toEqual([
      'record 999999 (notes): added, with 0 more behind what was sealed',
    ]);
    // Belongs to no exchange, so that no reader of exchanges would see it.
    expect(after("INSERT INTO body_chunks VALUES (888888, 777777, 'request', 1, 1, 0, x'00', NULL)")).toEqual(
      ['record 777777 (body_chunks): added, with 0 more behind what was sealed'],
    );
  });

  it('is named: the exchange, and who uses what is stored once', () => {
    const said = (sql: string) => after(sql);
    const seqOf = (id: string): number => {
      const db = new Database(join(folder, 'sealed.sqlite'), { readonly: true });
      const seq = db.prepare<[string], number>('SELECT seq FROM exchanges WHERE id = ?').pluck().get(id);
      db.close();
      return seq ?? 0;
    };
    const named = (id: string): string => `record ${seqOf(id)} (exchange ${id})`;
    expect(said("UPDATE exchanges SET status = 201 WHERE id = 'x17'")).toEqual([`${named('x17')}: altered`]);
    expect(said(`UPDATE body_chunks SET at_ns = at_ns + 1 WHERE exchange = ${seqOf('x5')}`)).toEqual([
      `${named('x5')}: altered`,
    ]);
    expect(said("UPDATE exchanges SET status = 201 WHERE id IN ('x4', 'x30')")).toEqual([
      `${named('x4')}: altered`,
      `${named('x30')}: altered`,
    ]);
    const gone = `DELETE FROM body_chunks WHERE exchange = ${seqOf('x9')}; DELETE FROM exchanges WHERE id = 'x9'`;
    expect(said(gone)).toEqual([`1 record is missing after ${named('x8')}`]);
    expect(said(`UPDATE header_lists SET fields = '["X-Count","77"]' WHERE fields LIKE '%"7"%'`)).toEqual([
      expect.stringMatching(/^header_lists \d+ \(of exchange x7\): altered$/),
    ]);
    expect(said('UPDATE blobs SET bytes = zeroblob(70000)')).toEqual([
      expect.stringMatching(/^blobs [0-9a-f]{64} \(of exchange x3\): altered$/),
    ]);
    expect(said("UPDATE spans SET name = 'other'")).toEqual([
      `the spans of trace ${'a'.repeat(32)}: altered`,
    ]);
  });

  it('is found: a schema with other comments, and one that is not ours', () => {
    const comment = "UPDATE sqlite_schema SET sql = replace(sql, '-- session', '-- Session') || ' -- x'";
    expect(after(`${comment} WHERE name = 'notes'`)).toEqual(['the schema (table notes): altered']);
    expect(after('CREATE TABLE more (a)')).toEqual([expect.stringContaining('is no usable capture')]);
    expect(after('PRAGMA user_version = 1')).not.toEqual([]);
  });

  it('is found: a log that lies beside the file', () => {
    writeFileSync(file, sealed);
    for (const suffix of ['-wal', '-journal']) {
      writeFileSync(`${file}${suffix}`, 'left over');
      expect(checkSeal(file).alterations).toContainEqual(
        expect.stringContaining(`${file}${suffix} lies beside`),
      );
      rmSync(`${file}${suffix}`);
    }
    expect(checkSeal(file).alterations).toEqual([]);
  });

  it('is found by who kept the root, where somebody has sealed it anew', () => {
    after("UPDATE exchanges SET status = 500 WHERE id = 'x1'; DELETE FROM seal; DELETE FROM seal_links");
    expect(checkSeal(file)).toMatchObject({ root: undefined, alterations: [] });
    const { root: other } = sealCapture(file);
    expect(checkSeal(file)).toMatchObject({ root: other, alterations: [] });
    expect(checkSeal(file, { root }).alterations).toEqual([
      `the seal is another one: its root is ${other}, not ${root}`,
    ]);
  });

  it('is found: an index that leads elsewhere than its table', () => {
    const places: number[] = [];
    const id = Buffer.from('x17');
    for (let at = sealed.indexOf(id); at !== -1; at = sealed.indexOf(id, at + 1)) places.push(at);
    // In the row of the exchange, and in the index over ids.
    expect(places.length).toBeGreaterThan(1);
    for (const at of places) {
      const bytes = Buffer.from(sealed);
      bytes[at] = 0x79;
      writeFileSync(file, bytes);
      expect(checkSeal(file).alterations, `byte ${at}`).not.toEqual([]);
    }
  });

  it('is found or does not matter: any one byte of the file', () => {
    const whole = dump(join(folder, 'sealed.sqlite'));
    let state = 20_261_130;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let found = 0;
    for (let i = 0; i < 200; i += 1) {
      const bytes = Buffer.from(sealed);
      let at = random(bytes.byteLength);
      // Much of the file is free space; half of the time, a byte that is something.
      while (i % 2 === 0 && bytes[at] === 0) at = random(bytes.byteLength);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 + random(255)), at);
      writeFileSync(file, bytes);
      const { root: named, alterations } = checkSeal(file);
      if (named === root && alterations.length === 0) expect(dump(file), `byte ${at}`).toBe(whole);
      else found += 1;
    }
    expect(found).toBeGreaterThan(40);
  }, 60_000);
});

describe('sealing', () => {
  it('makes the gap of a killed recorder a record, and the root of the traffic stays', async () => {
    const path = join(folder, 'killed.sqlite');
    await record(path);
    const db = new Database(path);
    db.exec("UPDATE runs SET ended_ns = NULL, writer = '{}'");
    db.close();
    const before = rootOfTraffic(path);
    sealCapture(path);
    expect(rootOfTraffic(path)).toBe(before);
    const source = openCaptureSource(path);
    expect(source.gaps().at(-1)).toMatchObject({ reason: 'unclean-shutdown' });
    expect(source.info.cleanShutdown).toBe(false);
    source.close();
    expect(checkSeal(path).alterations).toEqual([]);
  });

  it('brings a capture of the first version to this one', async () => {
    const path = join(folder, 'older.sqlite');
    await record(path);
    const db = new Database(path);
    db.exec('DROP TABLE seal; DROP TABLE seal_links; PRAGMA user_version = 1');
    db.close();
    const before = rootOfTraffic(path);
    expect(checkSeal(path)).toMatchObject({ root: undefined, alterations: [] });
    sealCapture(path);
    expect(checkSeal(path).alterations).toEqual([]);
    expect(rootOfTraffic(path)).toBe(before);
  });

  it('waits for nobody: a capture that is being recorded is refused', () => {
    const path = join(folder, 'busy.sqlite');
    const sink = openCapture({ file: path, run: runId('run-1') });
    expect(() => sealCapture(path)).toThrow(expect.objectContaining({ code: 'PLUGFEST_CAPTURE_BUSY' }));
    return sink.close();
  });
});
