import { describe, expect, it } from 'vitest';
import { cleanRun, sampleRun } from './fixtures/sample-run.ts';
import { shellWord, stepsToReproduce } from './reproduce.ts';

describe('stepsToReproduce', () => {
  it('names the lab, the seed and a failed cell', () => {
    const commands = stepsToReproduce(sampleRun()).map((step) => step.command);
    expect(commands).toContain('plugfest run labs/three-agents.yaml --seed 7');
    expect(commands).toContain(
      "plugfest run labs/three-agents.yaml --seed 7 --out plugfest-out/again --only 'alpha~beta~JSONRPC~1.0~stream'",
    );
  });

  it('names only commands that there are', () => {
    const commands = stepsToReproduce(sampleRun()).map((step) =>
      step.command.split(' ').slice(0, 2).join(' '),
    );
    expect([...new Set(commands)]).toEqual(['plugfest verify', 'plugfest run']);
  });

  it('prefers a cell that nobody expected to fail', () => {
    const run = sampleRun();
    const [known, fresh] = run.cells.filter(({ outcome }) => outcome === 'failed');
    const cells = run.cells.map((cell) =>
      cell.id === known?.id ? { ...cell, expectedBecause: 'known' } : cell,
    );
    const commands = stepsToReproduce({ ...run, cells }).map(({ command }) => command);
    expect(commands.some((command) => command.includes(shellWord(fresh?.id ?? 'none')))).toBe(true);
    expect(commands.some((command) => command.includes(shellWord(known?.id ?? 'none')))).toBe(false);
  });

  it('names no cell where none failed', () => {
    expect(stepsToReproduce(cleanRun()).some((step) => step.command.includes('--only'))).toBe(false);
  });
});

describe('shellWord', () => {
  it.each([
    ['labs/a.yaml', 'labs/a.yaml'],
    ['two words', "'two words'"],
    ["it's $(rm -r /)", "'it'\\''s $(rm -r /)'"],
    ['--help', "'--help'"],
    ['', "''"],
    ['a\nb', "'a b'"],
  ])('quotes %j', (text, expected) => {
    expect(shellWord(text)).toBe(expected);
  });
});
