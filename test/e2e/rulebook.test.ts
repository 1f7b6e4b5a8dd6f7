import { describe, expect, it } from 'vitest';
import { plugfest } from './plugfest.ts';

interface Listing {
  readonly counts: Readonly<Record<string, number>>;
  readonly rules: readonly {
    readonly id: string;
    readonly status: string;
    readonly reason?: string;
    readonly row?: object;
  }[];
}

describe.concurrent('rules', () => {
  it('accounts for each requirement of the catalogue as JSON', async () => {
    const { code, stdout } = await plugfest(['rules', '--format', 'json']);
    const { counts, rules } = JSON.parse(stdout) as Listing;
    expect(rules.filter(({ row }) => row !== undefined)).toHaveLength(522);
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(rules.length);
    const unexplained = rules.filter(({ status, reason }) => status !== 'implemented' && !reason);
    expect(unexplained.map(({ id }) => id)).toEqual([]);
    expect(code).toBe(0);
  });

  it('lists those of a glob and a status', async () => {
    const { code, stdout } = await plugfest(['rules', 'card-*', '--status', 'implemented']);
    const ids = stdout.split('\n').flatMap((line) => /^[A-Z]+-\d+/.exec(line) ?? []);
    expect(ids).toContain('CARD-001');
    expect(ids.filter((id) => !id.startsWith('CARD-'))).toEqual([]);
    expect(code).toBe(0);
  });
});

describe.concurrent('explain', () => {
  it('shows what holds, why, the section, the fix, and an example of each kind', async () => {
    const { code, stdout } = await plugfest(['explain', 'sse-010']);
    expect(stdout).toMatch(/^SSE-010 {2}Nothing follows a terminal status on a stream\.$/m);
    for (const part of [
      'Why  ',
      'Fix  ',
      'A2A 1.0 section 3.1.2',
      'Clean, for example',
      'Broken, for example',
    ])
      expect(stdout).toContain(part);
    expect(code).toBe(0);
  });

  it('says why no rule judges a requirement', async () => {
    const { code, stdout } = await plugfest(['explain', 'CARD-016']);
    expect(stdout).toMatch(/^status {4}(excluded|planned|probe): \S/m);
    expect(code).toBe(0);
  });
});
