import { chmodSync, statSync } from 'node:fs';
import { PlugfestError } from '@plugfest/model';
import Database from 'better-sqlite3';
import { asFormatError, openFile } from '../reader/open-file.ts';
import { migrate } from '../schema/schema.ts';
import { messageOf, sqliteCode } from '../sqlite-errors.ts';
import { endKilledSessions, requireIdle } from '../writer/prepare.ts';
import { type Link, LinkHash, markBytes, recordsPerLink, rootOf, sealForm } from './links.ts';
import { recordsOf, type SealedRecord, schemaRecords, sections } from './records.ts';
import type { Seal } from './state.ts';

/**
 * Seals a capture that nobody writes any more: nothing can be added to it afterwards, and `checkSeal` tells what was
 * altered. The traffic, and the root that verdicts name, stay as they are.
 *
 * Throws `PLUGFEST_CAPTURE_SEALED` where it is sealed already, `PLUGFEST_CAPTURE_BUSY` where it is being recorded or
 * read, and what `openCaptureSource` throws.
 */
export function sealCapture(file: string): Seal {
  // Opened for reading first: its errors are about what the file is.
  openFile(file).close();
  requireIdle(file);
  let db: Database.Database | undefined;
  let seal: Seal;
  try {
    db = new Database(file, { fileMustExist: true, timeout: 1000 });
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    migrate(db);
    // One plain file: a log beside it would be part of what is sealed, and easily lost.
    db.pragma('journal_mode = DELETE');
    seal = write(db);
  } catch (error) {
    const code = sqliteCode(error) ?? '';
    if (code.startsWith('SQLITE_BUSY'))
      throw new PlugfestError('PLUGFEST_CAPTURE_BUSY', `${file} is in use by another process`, {
        hint: 'Wait until it ends, then seal again.',
        cause: error,
      });
    if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code))
      throw new PlugfestError('PLUGFEST_OUTPUT', `${file} cannot be sealed (${messageOf(error)})`, {
        hint: 'Check the permissions of file and folder, and that the disk has room.',
        cause: error,
      });
    throw asFormatError(file, error);
  } finally {
    db?.close();
  }
  // Against accidents only; what was altered on purpose is what the chain is for.
  chmodSync(file, statSync(file).mode & 0o555);
  return seal;
}

function write(db: Database.Database): Seal {
  return db
    .transaction((): Seal => {
      endKilledSessions(db);
      const links = [...linksOf(db)];
      const insert = db.prepare('INSERT INTO seal_links VALUES (?, ?, ?, ?, ?, ?)');
      let records = 0;
      for (const [index, link] of links.entries()) {
        records += link.records;
        insert.run(index + 1, link.section, link.last, link.records, link.digest, link.marks);
      }
      const root = rootOf(links.length, records, links.at(-1)?.digest ?? '');
      db.prepare('INSERT INTO seal VALUES (?, ?, ?, ?)').run(root, sealForm, links.length, records);
      return { root, records };
    })
    .immediate();
}

/** The chain over everything in a file. */
function* linksOf(db: Database.Database): Generator<Link> {
  let before = '';
  for (const section of ['file', ...sections.keys()]) {
    const records = section === 'file' ? schemaRecords(db) : recordsOf(db, section);
    for (const link of stretches(records, section, before)) {
      before = link.digest;
      yield link;
    }
  }
}

function* stretches(records: Iterable<SealedRecord>, section: string, first: string): Generator<Link> {
  let before = first;
  let hash = new LinkHash(before, section);
  let marks: Buffer[] = [];
  let last = '';
  const link = (): Link => {
    const digest = hash.finish(last);
    const made = { section, last, records: marks.length, digest, marks: Buffer.concat(marks) };
    before = digest;
    hash = new LinkHash(before, section);
    marks = [];
    return made;
  };
  for (const record of records) {
    hash.add(record);
    marks.push(record.digest.subarray(0, markBytes));
    last = String(record.key);
    if (marks.length === recordsPerLink) yield link();
  }
  if (marks.length > 0) yield link();
}
