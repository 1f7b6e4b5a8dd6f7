import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadRulebook } from './load.ts';
import { judgingLibraries, judgingSources, type SourceFolder, sourceHash } from './source-hash.ts';

let clone: string;
let folders: readonly SourceFolder[];

/** A second copy of all judging sources, elsewhere. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'plugfest-sources-'));
  folders = judgingSources().map(({ name, folder }) => {
    cpSync(folder, join(clone, name), { recursive: true });
    return { name, folder: pathToFileURL(`${join(clone, name)}/`) };
  });
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function edit(path: string, change: (text: string) => string): void {
  const file = join(clone, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

describe('the hash of a rulebook', () => {
  it('is the same for another clone, and is the one that the rulebook carries', async () => {
    expect(sourceHash(folders)).toBe(sourceHash(judgingSources()));
    expect((await loadRulebook()).hash).toBe(sourceHash(folders));
  });

  it.each([
    'rules/called-interface.ts',
    'rules/sel/SEL-002.ts',
    'rules/json/documents.ts',
    'verifier/conversation/tasks.ts',
    'a2a/decode/rest.ts',
    'a2a/json-text.ts',
    'model/headers.ts',
  ])('changes with %s', (path) => {
    const before = sourceHash(folders);
    edit(path, (text) => `${text}// changed\n`);
    expect(sourceHash(folders)).not.toBe(before);
  });

  it('changes with the version of a library that takes part', () => {
    const libraries = judgingLibraries();
    expect(libraries.map((each) => each.replace(/@[\d.]+$/, ''))).toEqual([
      '@bufbuild/protobuf',
      'ajv',
      'canonicalize',
    ]);
    const [first = '', ...others] = libraries;
    expect(sourceHash(folders, [`${first}.1`, ...others])).not.toBe(sourceHash(folders));
  });

  it('changes when a file is renamed', () => {
    const before = sourceHash(folders);
    cpSync(join(clone, 'rules/instant.ts'), join(clone, 'rules/moment.ts'));
    rmSync(join(clone, 'rules/instant.ts'));
    expect(sourceHash(folders)).not.toBe(before);
  });

  it('does not depend on line ends, tests or fixtures', () => {
    const before = sourceHash(folders);
    edit('rules/called-interface.ts', (text) => text.replaceAll('\n', '\r\n'));
    edit('a2a/sse.test.ts', (text) => `${text}// changed\n`);
    for (const folder of ['testing', 'fixtures']) {
      mkdirSync(join(clone, 'verifier', folder), { recursive: true });
      writeFileSync(join(clone, 'verifier', folder, 'more.ts'), 'export {};\n');
    }
    expect(sourceHash(folders)).toBe(before);
  });
});
