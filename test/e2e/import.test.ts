import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '@plugfest/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { captureRows } from './capture-rows.ts';
import { errorLines, stackFrames } from './no-stack-trace.ts';
import { plugfest, startPlugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const clean = join(import.meta.dirname, '..', 'fixtures', 'clean-stream.ndjson');
const folder = temporaryFolder();

describe.concurrent('export', () => {
  const capture = join(folder, 'selected.sqlite');
  beforeAll(async () => {
    expect(await plugfest(['import', clean, '-o', capture])).toMatchObject({ code: 0 });
  });

  it('writes the one exchange that is selected', async () => {
    const [first] = captureRows<{ id: string }>(capture, 'SELECT id FROM exchanges ORDER BY seq');
    const ended = await plugfest(['export', capture, '--to', 'ndjson', '--exchange', first?.id ?? '']);
    expect({ code: ended.code, lines: ended.stdout.trim().split('\n').length }).toEqual({
      code: 0,
      lines: 1,
    });
  });

  it('refuses a selection of nothing, and says which', async () => {
    const ended = await plugfest(['export', capture, '--to', 'curl', '--cell', 'nowhere*']);
    expect(ended.stderr).toContain('no exchange is selected by --cell "nowhere*"');
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe.concurrent('import', () => {
  const malformed = {
    'that is no JSON': ['{"from":"client",', /is no JSON/],
    'that is no object': ['[1, 2]', /not a JSON object/],
    'without a request': ['{"from":"client","to":"hotel"}', /neither request nor grpc/],
    'with a status that is none': [
      '{"from":"client","to":"hotel","request":{"method":"GET","url":"/"},"response":{"status":"fine"}}',
      /response\.status/,
    ],
  } as const;
  for (const [what, [line, says]] of Object.entries(malformed))
    it(`names file and number of a line ${what}, and leaves no capture`, async () => {
      const name = what.replaceAll(' ', '-');
      const file = join(folder, `${name}.ndjson`);
      const whole = readFileSync(clean, 'utf8');
      writeFileSync(file, `${whole}${line}\n${whole}`);
      const number = whole.split('\n').length;
      const { code, stderr } = await plugfest(['import', file, '-o', join(folder, `${name}.sqlite`)]);
      expect(stackFrames(stderr)).toEqual([]);
      expect(errorLines(stderr), stderr).toHaveLength(1);
      expect(errorLines(stderr)[0]).toContain(`${file}:${number}: `);
      expect(errorLines(stderr)[0]).toMatch(says);
      expect(code).toBe(2);
      expect(readdirSync(folder).filter((each) => each.includes(`${name}.sqlite`))).toEqual([]);
    });

  it('takes several files: none of their exchanges is lost, and their times go on', async () => {
    const several = join(folder, 'several.sqlite');
    const later = join(folder, 'later.ndjson');
    const line = JSON.parse(readFileSync(clean, 'utf8').split('\n')[0] ?? '') as { at?: string };
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
    const first = join(folder, 'first.ndjson');
    writeFileSync(first, `${JSON.stringify({ ...line, at: at(0) })}\n`);
    writeFileSync(later, `${JSON.stringify({ ...line, at: at(3000) })}\n`);
    expect(await plugfest(['import', first, later, later, '-o', several])).toMatchObject({ code: 0 });
    expect(captureRows(several, 'SELECT id, round(at_ns / 1e9, 3) AS s FROM exchanges ORDER BY seq')).toEqual(
      [
        { id: 'x1', s: 0 },
        { id: 'f2-x1', s: 3 },
        { id: 'f3-x1', s: 3 },
      ],
    );
  });

  it('refuses a file without an exchange, also beside one that has some, and leaves no capture', async () => {
    const empty = join(folder, 'empty.ndjson');
    writeFileSync(empty, '\n');
    for (const files of [[empty], [clean, empty]]) {
      const { code, stderr } = await plugfest(['import', ...files, '-o', join(folder, 'nothing.sqlite')]);
      expect(errorLines(stderr)).toEqual([`plugfest: ${empty} holds no exchange (PLUGFEST_IMPORT_FORMAT)`]);
      expect(code).toBe(2);
    }
    expect(readdirSync(folder)).not.toContain('nothing.sqlite');
  });

  it('does not replace a file that is there', async () => {
    const taken = join(folder, 'taken.sqlite');
    copyFileSync(clean, taken);
    const { code, stderr } = await plugfest(['import', clean, '-o', taken]);
    expect(code).toBe(2);
    expect(errorLines(stderr)[0]).toContain('taken.sqlite already exists');
    expect(readFileSync(taken)).toEqual(readFileSync(clean));
  });

  it('keeps the capture that is there when the file to import turns out malformed', async () => {
    const kept = join(folder, 'kept.sqlite');
    expect((await plugfest(['import', clean, '-o', kept])).code).toBe(0);
    const before = readFileSync(kept);
    const broken = join(folder, 'broken.ndjson');
    writeFileSync(broken, 'nonsense\n');
    expect((await plugfest(['import', broken, '--force', '-o', kept])).code).toBe(2);
    expect(readFileSync(kept)).toEqual(before);
  });

  it('replaces a capture together with the log that a killed recorder left', async () => {
    const file = join(folder, 'killed.sqlite');
    expect((await plugfest(['import', clean, '-o', file])).code).toBe(0);
    await using recorder = startPlugfest([
      ...['proxy', '--edge', 'client=agent@http://127.0.0.1:9', '--capture', file, '--append'],
    ]);
    await recorder.shows(/client -> agent/);

    const whileRecording = await plugfest(['import', clean, '--force', '-o', file]);
    expect(errorLines(whileRecording.stderr)[0]).toContain('(PLUGFEST_CAPTURE_BUSY)');
    expect(whileRecording.code).toBe(2);

    recorder.signal('SIGKILL');
    await recorder.ended;
    expect(readdirSync(folder)).toContain('killed.sqlite-wal');
    expect((await plugfest(['import', clean, '-o', file])).code).toBe(2);
    expect((await plugfest(['import', clean, '--force', '-o', file])).code).toBe(0);
    expect(readdirSync(folder).filter((each) => each.startsWith('killed'))).toEqual(['killed.sqlite']);
    const { stdout } = await plugfest(['verify', file, '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ capture: { gaps: 0 } });
  });

  it('leaves a file alone that is no capture, whatever is forced', async () => {
    const notes = join(folder, 'notes.txt');
    writeFileSync(notes, 'keep me');
    const { code, stderr } = await plugfest(['import', clean, '--force', '-o', notes]);
    expect(errorLines(stderr)).toEqual([
      `plugfest: ${notes} is not a Plugfest capture, so it is left alone (PLUGFEST_OUTPUT)`,
    ]);
    expect(code).toBe(2);
    expect(readFileSync(notes, 'utf8')).toBe('keep me');
  });

  it('refuses a line that is nested too deeply, by its number', async () => {
    const deep = join(folder, 'deep.ndjson');
    const nested = '['.repeat(100_000) + ']'.repeat(100_000);
    const line = (body: string): string =>
      `{"from":"a","to":"b","request":{"method":"POST","url":"/","body":${body}}}\n`;
    writeFileSync(deep, line('1') + line(nested));
    const { code, stderr } = await plugfest(['import', deep, '-o', join(folder, 'deep.sqlite')]);
    expect(errorLines(stderr)).toEqual([
      `plugfest: ${deep}:2: is nested too deeply (PLUGFEST_IMPORT_FORMAT)`,
    ]);
    expect(code).toBe(2);
  });

  it('shows what a terminal would obey as text', async () => {
    const hostile = join(folder, 'hostile.ndjson');
    writeFileSync(hostile, '\u001b]0;pwn\u0007\u001b[2J\u202ex\u009b1m\n');
    const { code, stderr } = await plugfest(['import', hostile, '-o', join(folder, 'hostile.sqlite')]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stderr).toContain('\\u001B');
    expect(code).toBe(2);
  });

  it('says so where what to import is not there, or is a folder', async () => {
    for (const strange of [join(folder, 'missing.ndjson'), folder]) {
      const { code, stderr } = await plugfest(['import', strange, '-o', join(folder, 'never.sqlite')]);
      expect(code).toBe(2);
      expect(errorLines(stderr)[0]).toContain(strange);
    }
    expect(readdirSync(folder)).not.toContain('never.sqlite');
  });
});

describe.concurrent('import of what other tools recorded', () => {
  const foreign = join(import.meta.dirname, '..', 'fixtures', 'foreign');
  for (const [file, format] of [
    ['browser.har', 'har'],
    ['mitmproxy.har', 'har'],
    ['mitmproxy-flows.mitm', 'mitmproxy'],
  ] as const)
    it(`gives a capture of ${file} that can be judged, without its secrets`, async () => {
      const capture = join(folder, `${file}.sqlite`);
      const names = ['--name', '127.0.0.1:7911=hotel', '--name', '127.0.0.1:7912=hotel'];
      const args = ['import', join(foreign, file), '--from', format, ...names, '-o', capture];
      expect(await plugfest(args)).toMatchObject({ code: 0 });
      expect(readFileSync(capture).includes('s3cret-token')).toBe(false);
      const { code, stdout } = await plugfest(['verify', capture, '--format', 'json']);
      const { findings, rules } = JSON.parse(stdout) as Verdict;
      expect(findings.filter(({ outcome }) => outcome !== 'info')).toEqual([]);
      for (const id of ['RPC-009', 'SSE-002'])
        expect(rules.find((rule) => rule.id === id)).toMatchObject({ status: 'pass' });
      expect(code).toBe(0);
    });

  it('keeps the verdict through HAR', async () => {
    const late = join(import.meta.dirname, '..', 'fixtures', 'event-after-terminal.ndjson');
    const [first, har, second] = ['har-1.sqlite', 'late.har', 'har-2.sqlite'].map((name) =>
      join(folder, name),
    );
    if (first === undefined || har === undefined || second === undefined) throw new Error('three names');
    expect(await plugfest(['import', late, '-o', first])).toMatchObject({ code: 0 });
    writeFileSync(har, (await plugfest(['export', first, '--to', 'har'])).stdout);
    expect(await plugfest(['import', har, '--from', 'har', '-o', second])).toMatchObject({ code: 0 });
    const [before, after] = await Promise.all(
      [first, second].map(async (file) => {
        const { stdout } = await plugfest(['verify', file, '--format', 'json']);
        const { findings, rules } = JSON.parse(stdout) as Verdict;
        return { findings, rules };
      }),
    );
    expect(before?.findings.length).toBeGreaterThan(0);
    expect(after).toEqual(before);
  });

  const malformed = {
    'is no HAR': ['{}', 'har', /: log: must be an object/],
    'is no JSON': ['<html>', 'har', /is no JSON/],
    'is no flow file': ['{}', 'mitmproxy', /flow 1, byte 0: no size/],
  } as const;
  for (const [what, [text, format, says]] of Object.entries(malformed))
    it(`refuses a file that ${what}`, async () => {
      const file = join(folder, `${what.replaceAll(' ', '-')}.txt`);
      writeFileSync(file, text);
      const { code, stderr } = await plugfest(['import', file, '--from', format, '-o', `${file}.sqlite`]);
      expect(errorLines(stderr)[0]).toMatch(says);
      expect(code).toBe(2);
    });

  it('refuses a name without its host', async () => {
    const { code, stderr } = await plugfest([
      'import',
      clean,
      '--name',
      'hotel',
      '-o',
      join(folder, 'n.sqlite'),
    ]);
    expect(stderr).toContain('Write HOST=NAME');
    expect(code).toBe(2);
  });
});
