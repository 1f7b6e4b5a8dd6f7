import { afterEach, describe, expect, it, vi } from 'vitest';
import { main } from './main.ts';

const listeners = (): number[] => ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));

afterEach(() => vi.restoreAllMocks());

describe('a signal', () => {
  it('ends a command that never looks for it as the system does, on the first one', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const before = listeners();
    expect(await main(['rules', 'SSE-*'])).toBe(0);
    expect(listeners()).toEqual(before);
  });
});

describe('an error', () => {
  it.each([
    ['rules', 'x'.repeat(70_000)],
    ['rules', '{1..3000000}'],
    ['rules', `{${'SSE,'.repeat(30_000)}NO}-999`],
  ])('of %s says in one line of bounded length that nothing matches', async (command, glob) => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    expect(await main([command, glob])).toBe(2);
    const lines = written.join('').trimEnd().split('\n');
    expect(lines[0]).toMatch(/^plugfest: No rule matches ".{12,2500} \(PLUGFEST_RULE_UNKNOWN\)$/);
    expect(lines).toHaveLength(2);
  });

  it('shows control and bidirectional characters as text, and cannot pass for two', async () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const id = '\u001b]0;title\u0007\u202e\nplugfest: all is well';
    expect(await main(['explain', id])).toBe(2);
    const lines = written.join('').split('\n');
    expect(lines[0]).toContain('\\u001B]0;title\\u0007\\u202E');
    expect(lines.filter((line) => line.startsWith('plugfest: '))).toHaveLength(1);
  });
});
