import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Verdict } from '@plugfest/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorLines, stackFrames } from './no-stack-trace.ts';
import { plugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const folder = temporaryFolder();
const clean = join(folder, 'clean.sqlite');
const late = join(folder, 'late.sqlite');

beforeAll(async () => {
  const imports = await Promise.all([
    plugfest(['import', join(fixtures, 'clean-stream.ndjson'), '--from', 'ndjson', '-o', clean]),
    plugfest(['import', join(fixtures, 'event-after-terminal.ndjson'), '--from', 'ndjson', '-o', late]),
  ]);
  for (const { code, stderr } of imports) expect({ code, stderr }).toMatchObject({ code: 0 });
});

/** The coordinates of a public key on a curve. */
function pointOf({ publicKey }: KeyPairKeyObjectResult): { readonly x: string; readonly y: string } {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { x, y };
}

/** Every file of a folder with its bytes and times, to see that nothing was touched. */
const contents = (of: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(of).map((name) => {
      const file = join(of, name);
      const { mtimeMs, size } = statSync(file);
      return [name, `${size} ${mtimeMs} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`];
    }),
  );

describe.concurrent('verify, on traffic that Plugfest did not record', () => {
  it('ends with 0 where no rule is broken, having exercised some', async () => {
    const { code, stdout } = await plugfest(['verify', clean, '--format', 'json']);
    const verdict = JSON.parse(stdout) as Verdict;
    expect(verdict.findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(verdict.rules.find(({ id }) => id === 'SSE-010')).toMatchObject({ status: 'pass', exercised: 1 });
    expect(code).toBe(0);
  });

  it('ends with 1 and SSE-010 at the event that follows the end', async () => {
    const { code, stdout } = await plugfest(['verify', late, '--format', 'json']);
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as Verdict;
    expect(findings.filter(({ rule }) => rule === 'SSE-010')).toMatchObject([
      { outcome: 'fail', party: 'server', agent: 'hotel', at: { side: 'response', event: 3 } },
    ]);
  });

  for (const format of ['text', 'json', 'junit'])
    it(`prints the same bytes twice as ${format}`, async () => {
      const [first, second] = await Promise.all([
        plugfest(['verify', late, '--format', format]),
        plugfest(['verify', late, '--format', format]),
      ]);
      expect(first).toMatchObject({ code: 1, stderr: '' });
      expect(first.stdout).toContain('SSE-010');
      expect(second.stdout).toBe(first.stdout);
    });

  it('says the same of a copy elsewhere', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    copyFileSync(late, join(elsewhere, 'renamed.sqlite'));
    const [here, there] = await Promise.all([
      plugfest(['verify', late, '--format', 'json']),
      plugfest(['verify', 'renamed.sqlite', '--format', 'json'], { cwd: elsewhere }),
    ]);
    expect(there.stdout).toBe(here.stdout);
  });

  it('leaves the capture and its folder as they are', async () => {
    const own = join(folder, 'left-alone');
    mkdirSync(own);
    const capture = join(own, 'capture.sqlite');
    copyFileSync(late, capture);
    const before = contents(own);
    expect((await plugfest(['verify', capture])).code).toBe(1);
    expect(contents(own)).toEqual(before);
  });

  it('keeps its findings through export and import', async () => {
    const exported = await plugfest(['export', late, '--to', 'ndjson']);
    const traffic = join(folder, 'again.ndjson');
    writeFileSync(traffic, exported.stdout);
    const again = join(folder, 'again.sqlite');
    expect((await plugfest(['import', traffic, '-o', again])).code).toBe(0);
    const [first, second] = await Promise.all(
      [late, again].map(async (file) => {
        const { stdout } = await plugfest(['verify', file, '--format', 'json']);
        return (JSON.parse(stdout) as Verdict).findings.map(({ exchange: _, ...finding }) => finding);
      }),
    );
    expect(first?.length).toBeGreaterThan(0);
    expect(second).toEqual(first);
  });
});

describe.concurrent('verify, on traffic in which there is nothing to judge', () => {
  it('gives no verdict and ends with 1', async () => {
    const file = join(folder, 'web.ndjson');
    const page = { method: 'GET', url: 'http://hotel.example/index.html' };
    const answer = { status: 200, headers: { 'content-type': 'text/html' }, body_raw: '<p>' };
    writeFileSync(file, JSON.stringify({ from: 'client', to: 'hotel', request: page, response: answer }));
    const capture = join(folder, 'web.sqlite');
    expect((await plugfest(['import', file, '-o', capture])).code).toBe(0);
    const { code, stdout } = await plugfest(['verify', capture]);
    expect(stdout).toMatch(/^No verdict {2}No rule was exercised\./);
    expect(code).toBe(1);
  });
});

describe.concurrent('verify --expect', () => {
  const cases = {
    'that is not there': { text: undefined, says: /there is no such file/, code: 'PLUGFEST_LAB_NOT_FOUND' },
    'that expects nothing': { text: 'name: x\n', says: /: expect: missing/, code: 'PLUGFEST_EXPECTATIONS' },
    'that is no YAML': { text: 'expect: [', says: /:1:\d+: /, code: 'PLUGFEST_EXPECTATIONS' },
    'with a finding without its reason': {
      text: 'expect:\n  findings:\n    - rule: SSE-010\n',
      says: /:3:7: expect\.findings\[0\]\.reason: missing/,
      code: 'PLUGFEST_EXPECTATIONS',
    },
  };
  for (const [index, [what, { text, says, code }]] of Object.entries(cases).entries())
    it(`refuses a file ${what} with exit code 2 and its place`, async () => {
      const file = join(folder, `expect-${index}.yaml`);
      if (text !== undefined) writeFileSync(file, text);
      const ended = await plugfest(['verify', late, '--expect', file]);
      expect(errorLines(ended.stderr)).toHaveLength(1);
      expect(errorLines(ended.stderr)[0]).toContain(file);
      expect(errorLines(ended.stderr)[0]).toMatch(says);
      expect(errorLines(ended.stderr)[0]).toContain(`(${code})`);
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
    });
});

describe.concurrent('verify --baseline', () => {
  const baselineOf = async (name: string, reason: string): Promise<string> => {
    const { stdout } = await plugfest(['verify', late, '--format', 'baseline']);
    const file = join(folder, name);
    writeFileSync(file, stdout.replaceAll('reason: ""', `reason: ${reason}`));
    return file;
  };

  it('refuses one whose entries have no reason yet', async () => {
    const file = await baselineOf('empty.yaml', '""');
    const { code, stderr } = await plugfest(['verify', late, '--baseline', file]);
    expect(stderr).toMatch(/empty\.yaml:\d+:\d+: findings\[0\]\.reason: empty/);
    expect(code).toBe(2);
  });

  it('ends with 0 where all that is found is known, and says why it is', async () => {
    const file = await baselineOf('known.yaml', 'filed as bug 12');
    const { code, stdout } = await plugfest(['verify', late, '--baseline', file]);
    expect(stdout).toContain('filed as bug 12');
    expect(code).toBe(0);
  });

  it('ends with 1 where an entry does not happen any more', async () => {
    const file = await baselineOf('stale.yaml', 'filed as bug 12');
    const { code, stdout } = await plugfest(['verify', clean, '--baseline', file]);
    expect(stdout).toMatch(/Expected, but did not happen\n {2}SSE-010/);
    expect(code).toBe(1);
  });

  it('ends with 1 where an entry names no rule, and says which', async () => {
    const file = await baselineOf('mistyped.yaml', 'filed as bug 12');
    appendFileSync(file, '  - rule: SSE-0100\n    reason: mistyped\n');
    const { code, stdout } = await plugfest(['verify', late, '--baseline', file]);
    expect(stdout).toMatch(/Expected, but did not happen\n {2}SSE-0100/);
    expect(code).toBe(1);
  });

  it('keeps the reasons of what is known when a baseline is written anew', async () => {
    const file = await baselineOf('again.yaml', 'filed as bug 12');
    const { stdout } = await plugfest(['verify', late, '--baseline', file, '--format', 'baseline']);
    expect(stdout).toContain('reason: "filed as bug 12"');
    expect(stdout).not.toContain('reason: ""');
  });

  it('does not miss what only rules would say that were not asked', async () => {
    const file = await baselineOf('other.yaml', 'filed as bug 12');
    const { code } = await plugfest(['verify', '--rules', 'card-*', clean, '--baseline', file]);
    expect(code).toBe(0);
  });
});

describe.concurrent('verify --rules', () => {
  it('refuses a list without any rule', async () => {
    const { code, stderr } = await plugfest(['verify', '--rules', ' ,', late]);
    expect(stderr).toContain('It names no rule');
    expect(code).toBe(2);
  });

  it('judges by the rules that match, and says so', async () => {
    const { code, stdout } = await plugfest([
      'verify',
      '--rules',
      'SSE-01*,hook-001',
      late,
      '--format',
      'json',
    ]);
    const verdict = JSON.parse(stdout) as Verdict;
    expect(verdict.rulebook.selection).toEqual(['SSE-01*', 'hook-001']);
    expect(verdict.rules.map(({ id }) => id)).toContain('HOOK-001');
    expect(verdict.rules.filter(({ id }) => !/^SSE-01|^HOOK-001/.test(id))).toEqual([]);
    expect(code).toBe(1);
  });

  it('takes a comma in braces for a choice', async () => {
    const rules = '{sse-01*,HOOK-001},CARD-001';
    const { stdout } = await plugfest(['verify', '--rules', rules, late, '--format', 'json']);
    const verdict = JSON.parse(stdout) as Verdict;
    expect(verdict.rulebook.selection).toEqual(['{sse-01*,HOOK-001}', 'CARD-001']);
    expect(verdict.rules.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['CARD-001', 'HOOK-001', 'SSE-010']),
    );
  });

  it('refuses a glob that matches none', async () => {
    const { code, stderr } = await plugfest(['verify', '--rules', 'SEE-010', late]);
    expect(stderr).toContain('No rule matches "SEE-010"');
    expect(code).toBe(2);
  });
});

describe.runIf(process.platform !== 'win32')('a pipe', () => {
  it.each(['--key', '--baseline'])('is refused for %s, and nobody waits for it', async (flag) => {
    const pipe = join(folder, `pipe${flag}`);
    execFileSync('mkfifo', [pipe]);
    const { code, stderr } = await plugfest(['verify', clean, flag, pipe]);
    expect(code).toBe(2);
    expect(errorLines(stderr)[0]).toContain(`${pipe}: is a pipe, socket or device, and no regular file`);
  });
});

describe.concurrent('verify --key', () => {
  const key = {
    kty: 'EC',
    crv: 'P-256',
    kid: 'release-1',
    ...pointOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  };

  it('says which keys took part', async () => {
    const file = join(folder, 'key.json');
    writeFileSync(file, JSON.stringify({ keys: [key] }));
    const { stdout } = await plugfest(['verify', clean, '--key', file, '--format', 'json']);
    expect((JSON.parse(stdout) as Verdict).keys).toEqual(['release-1']);
  });

  const refused = {
    'that is PEM': ['-----BEGIN PUBLIC KEY-----\n', /this is PEM/],
    'that is private': [JSON.stringify({ ...key, d: 'AAAA' }), /private/],
    'without an id': [JSON.stringify({ ...key, kid: undefined }), /has no `kid`/],
  } as const;
  for (const [index, [what, [text, says]]] of Object.entries(refused).entries())
    it(`refuses a key ${what}`, async () => {
      const file = join(folder, `key-${index}.json`);
      writeFileSync(file, text);
      const { code, stderr } = await plugfest(['verify', clean, '--key', file]);
      expect(errorLines(stderr)[0]).toMatch(says);
      expect(stderr).toContain('PLUGFEST_KEYS');
      expect(code).toBe(2);
    });
});

describe.concurrent('verify, on what is no capture', () => {
  const cases = {
    'a file that is not there': { make: () => {}, says: /cannot be read/ },
    'a text file': {
      make: (file: string) => writeFileSync(file, 'exchange,bytes\n'.repeat(40)),
      says: /not a SQLite file/,
    },
    'an empty file': { make: (file: string) => writeFileSync(file, ''), says: /it is empty/ },
    'a folder': { make: (file: string) => mkdirSync(file), says: /not a file/ },
    'a capture that was cut off': {
      make: (file: string) => {
        const whole = readFileSync(late);
        writeFileSync(file, whole.subarray(0, Math.floor(whole.length / 2)));
      },
      says: /truncated/,
    },
    'a database of something else': {
      make: (file: string) => {
        const database = new DatabaseSync(file);
        database.exec('CREATE TABLE users (name TEXT)');
        database.close();
      },
      says: /not of Plugfest/,
    },
    'a capture of a newer Plugfest': {
      make: (file: string) => {
        copyFileSync(late, file);
        const database = new DatabaseSync(file);
        database.exec('PRAGMA user_version = 999');
        database.close();
      },
      says: /schema version 999/,
    },
    'a capture with a damaged page': {
      make: (file: string) => {
        const bytes = readFileSync(late);
        bytes.fill(0xff, 8192);
        writeFileSync(file, bytes);
      },
      says: /no usable capture/,
    },
  };
  for (const [index, [what, { make, says }]] of Object.entries(cases).entries())
    it(`refuses ${what} with exit code 2 and one line, and leaves it as it is`, async () => {
      const own = join(folder, `case-${index}`);
      mkdirSync(own);
      const file = join(own, 'capture.sqlite');
      make(file);
      const before = what === 'a folder' ? {} : contents(own);
      const { code, stdout, stderr } = await plugfest(['verify', file]);
      expect(stackFrames(stderr)).toEqual([]);
      expect(errorLines(stderr), stderr).toHaveLength(1);
      expect(errorLines(stderr)[0]).toMatch(says);
      expect(errorLines(stderr)[0]).toContain(file);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      if (what !== 'a folder') expect(contents(own)).toEqual(before);
    });
});
