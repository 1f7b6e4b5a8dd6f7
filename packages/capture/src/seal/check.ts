import { existsSync, statSync } from 'node:fs';
import { isPlugfestError } from '@plugfest/model';
import type { Database } from 'better-sqlite3';
import { Damage } from '../reader/damage.ts';
import { openFile } from '../reader/open-file.ts';
import { messageOf, sqliteCode } from '../sqlite-errors.ts';
import { type Link, LinkHash, markBytes, rootOf, sealForm } from './links.ts';
import { recordsOf, type SealedRecord, schemaRecords, sections } from './records.ts';
import { readSeal } from './state.ts';

/** What comparing a capture with its seal gives. */
export interface SealCheck {
  /** As the capture says; undefined where it is not sealed. */
  readonly root: string | undefined;
  readonly records: number;
  /** What is not as it was sealed, in the order of the chain, in words; none: all is. */
  readonly alterations: readonly string[];
  /** Further ones. */
  readonly omitted: number;
}

export interface SealCheckOptions {
  /** What `seal` gave: a capture that was altered and sealed anew has another. */
  readonly root?: string | undefined;
}

const mostAlterations = 20;
/** Records of a stretch kept to be named. */
const mostNamed = 4096;

/**
 * Compares everything in a capture with its seal. A file that can no longer be read as a capture is one that was
 * altered, too.
 *
 * Throws `PLUGFEST_CAPTURE_NOT_FOUND`.
 */
export function checkSeal(file: string, { root }: SealCheckOptions = {}): SealCheck {
  const found = new Alterations();
  for (const suffix of ['-wal', '-journal'])
    if (existsSync(`${file}${suffix}`) && statSync(`${file}${suffix}`).size > 0)
      found.add(`${file}${suffix} lies beside the file: somebody wrote to it after it was sealed`);
  let sealed: ReturnType<typeof readSeal>;
  try {
    const { db, close } = openFile(file);
    try {
      sealed = readSeal(db);
      if (sealed !== undefined) {
        // The chain is over rows as readers meet them. An index that leads elsewhere would deceive queries by hand.
        for (const damage of db.pragma('integrity_check(5)') as readonly {
          readonly integrity_check: string;
        }[])
          if (damage.integrity_check !== 'ok') found.add(`the file is damaged: ${damage.integrity_check}`);
        compare(db, sealed, found);
      }
    } finally {
      close();
    }
  } catch (error) {
    if (isPlugfestError(error) && error.code !== 'PLUGFEST_CAPTURE_FORMAT') throw error;
    if (!isPlugfestError(error) && !(error instanceof Damage) && sqliteCode(error) === undefined) throw error;
    found.add(isPlugfestError(error) ? error.message : `the file cannot be read on: ${messageOf(error)}`);
  }
  if (root !== undefined && sealed !== undefined && sealed.root !== root)
    found.add(`the seal is another one: its root is ${sealed.root}, not ${root}`);
  return {
    root: sealed?.root,
    records: sealed?.records ?? 0,
    alterations: found.words,
    omitted: found.omitted,
  };
}

class Alterations {
  readonly words: string[] = [];
  omitted = 0;

  add(words: string): void {
    if (this.words.length < mostAlterations) this.words.push(words);
    else this.omitted += 1;
  }

  get none(): boolean {
    return this.words.length === 0;
  }
}

type LinkRow = Link & { readonly ordinal: number };

function compare(db: Database, seal: NonNullable<ReturnType<typeof readSeal>>, found: Alterations): void {
  if (seal.form !== sealForm) {
    found.add(`the seal itself: its form is ${JSON.stringify(seal.form)}, not ${sealForm}`);
    return;
  }
  const links = db.prepare<[], LinkRow>('SELECT * FROM seal_links ORDER BY ordinal').all();
  let before = '';
  let records = 0;
  for (const section of ['file', ...sections.keys()]) {
    const all = section === 'file' ? schemaRecords(db) : recordsOf(db, section);
    const reader = new Stretches(all);
    try {
      for (const link of links.filter((each) => each.section === section)) {
        compareLink(db, link, before, reader, found);
        before = link.digest;
        records += link.records;
      }
      const { first, count } = reader.rest();
      if (first !== undefined)
        found.add(`${nameOf(db, section, first)}: added, with ${count - 1} more behind what was sealed`);
    } finally {
      reader.close();
    }
  }
  const isInOrder = links.every(({ ordinal }, index) => ordinal === index + 1);
  const complete = isInOrder && links.length === seal.links && records === seal.records;
  if (!complete || seal.root !== rootOf(links.length, records, before))
    found.add('the seal itself: its links are not those that its root is of');
}

/** Hands out the records of a section by stretches. */
class Stretches {
  readonly #records: Iterator<SealedRecord>;
  #next: SealedRecord | undefined;

  constructor(records: Iterable<SealedRecord>) {
    this.#records = records[Symbol.iterator]();
    this.#advance();
  }

  /** The records up to a key. */
  *upTo(last: string): Generator<SealedRecord> {
    while (this.#next !== undefined && isWithin(this.#next.key, last)) {
      yield this.#next;
      this.#advance();
    }
  }

  rest(): { readonly first: SealedRecord | undefined; readonly count: number } {
    const first = this.#next;
    let count = 0;
    for (; this.#next !== undefined; this.#advance()) count += 1;
    return { first, count };
  }

  close(): void {
    this.#records.return?.();
  }

  #advance(): void {
    const { value, done } = this.#records.next();
    this.#next = done ? undefined : value;
  }
}

const isWithin = (key: SealedRecord['key'], last: string): boolean =>
  typeof key === 'number' ? key <= Number(last) : key <= last;

function compareLink(
  db: Database,
  link: LinkRow,
  before: string,
  reader: Stretches,
  found: Alterations,
): void {
  const hash = new LinkHash(before, link.section);
  const kept: SealedRecord[] = [];
  let isAsMarked = true;
  let count = 0;
  for (const record of reader.upTo(link.last)) {
    hash.add(record);
    if (!hasMark(link, count, record)) isAsMarked = false;
    count += 1;
    if (kept.length < mostNamed) kept.push(record);
  }
  if (count !== link.records) isAsMarked = false;
  const isSame = hash.finish(link.last) === link.digest;
  if (isSame && isAsMarked) return;
  if (isSame || isAsMarked) found.add(`the seal itself: its link ${link.ordinal}`);
  else nameDifferences(db, link, kept, count, found);
}

const hasMark = ({ marks }: Link, at: number, { digest }: SealedRecord): boolean =>
  marks.subarray(at * markBytes, (at + 1) * markBytes).equals(digest.subarray(0, markBytes));

/** Says which records of a stretch are not those that were sealed. */
function nameDifferences(
  db: Database,
  link: LinkRow,
  kept: readonly SealedRecord[],
  count: number,
  found: Alterations,
): void {
  const name = (record: SealedRecord): string => nameOf(db, link.section, record);
  let first = 0;
  for (let record = kept[first]; record !== undefined && hasMark(link, first, record); record = kept[first])
    first += 1;
  const shift = link.records - count;
  let end = count;
  if (kept.length === count)
    for (
      let record = kept[end - 1];
      end > first && end + shift > first && record !== undefined && hasMark(link, end - 1 + shift, record);
      record = kept[end - 1]
    )
      end -= 1;
  const odd = kept.slice(first, end);
  if (shift > 0) {
    const before = kept[first - 1];
    const where = before === undefined ? `before ${link.section} ${link.last}` : `after ${name(before)}`;
    found.add(`${shift} record${shift === 1 ? ' is' : 's are'} missing ${where}`);
  }
  if (shift < 0) {
    const [added] = odd;
    if (added !== undefined) found.add(`${name(added)}: ${-shift} record${shift === -1 ? '' : 's'} added`);
    return;
  }
  for (const [index, record] of odd.entries())
    if (shift > 0 || !hasMark(link, first + index, record)) found.add(`${name(record)}: altered`);
}

function nameOf(db: Database, section: string, { key, exchange, table }: SealedRecord): string {
  if (section === 'file') return `the schema (${key})`;
  if (section === 'traffic')
    return exchange === undefined ? `record ${key} (${table})` : `record ${key} (exchange ${exchange})`;
  if (section === 'spans') return `the spans of trace ${key}`;
  return `${section} ${key}${usersOf(db, section, key)}`;
}

const usersSql: Readonly<Record<string, string>> = {
  header_lists: `SELECT id FROM exchanges WHERE :key IN
    (request_headers, request_forwarded, response_headers, response_forwarded) ORDER BY seq LIMIT 4`,
  change_lists:
    'SELECT id FROM exchanges WHERE :key IN (request_changes, response_changes) ORDER BY seq LIMIT 4',
  blobs: `SELECT DISTINCT e.id FROM body_chunks c JOIN exchanges e ON e.seq = c.exchange
    WHERE c.blob = :key ORDER BY e.seq LIMIT 4`,
};

/** The exchanges that what is stored once is part of. */
function usersOf(db: Database, section: string, key: SealedRecord['key']): string {
  const sql = usersSql[section];
  if (sql === undefined) return '';
  const ids = db.prepare<[{ key: SealedRecord['key'] }], string>(sql).pluck().all({ key });
  if (ids.length === 0) return '';
  return ` (of exchange ${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''})`;
}
