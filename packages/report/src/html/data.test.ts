import { describe, expect, it } from 'vitest';
import { sampleRun } from '../fixtures/sample-run.ts';
import { pageData } from './data.ts';

const run = sampleRun();
const fat = {
  ...run,
  exchanges: run.exchanges.map((exchange) => ({
    ...exchange,
    request: { ...exchange.request, body: `${exchange.request.body}${'y'.repeat(20_000)}` },
  })),
};
const size = (exchanges: readonly unknown[]): number =>
  exchanges.reduce<number>((sum, one) => sum + JSON.stringify(one).length, 0);

describe('pageData', () => {
  it('marks what a finding points at', () => {
    const data = pageData(run);
    const [finding] = data.findings;
    const exchange = data.exchanges[finding?.exchange ?? -1];
    const marked = exchange?.response?.body.slice(finding?.mark?.start, finding?.mark?.end);
    expect(JSON.parse(marked ?? '')).toMatchObject({ artifactId: 'answer' });
  });

  it('marks a header', () => {
    const data = pageData(run);
    const finding = data.findings.find((one) => one.rule === 'VER-003');
    const head = data.exchanges[finding?.exchange ?? -1]?.request.head;
    expect(head?.slice(finding?.mark?.start, finding?.mark?.end)).toBe('A2A-Version: 1.0');
  });

  it('counts the events of a stream, and only of a stream', () => {
    const events = pageData(run).exchanges.map((exchange) => [exchange.label, exchange.events]);
    expect(events).toContainEqual(['SendStreamingMessage', 4]);
    expect(events.filter(([label]) => label === 'GetTask').every(([, number]) => number === undefined)).toBe(
      true,
    );
  });

  it('leaves nothing out below the limit', () => {
    const data = pageData(run);
    expect(data.leftOut).toBe(0);
    expect(data.exchanges.every((exchange) => exchange.request.cut === 0)).toBe(true);
  });

  it('cuts the bodies of quiet exchanges first, and says by how much', () => {
    const data = pageData(fat, 1_000_000);
    expect(size(data.exchanges)).toBeLessThanOrEqual(1_000_000);
    expect(data.leftOut).toBe(0);
    const pointed = new Set(data.findings.map((finding) => finding.exchange));
    data.exchanges.forEach((exchange, index) => {
      const whole = exchange.request.body.length + exchange.request.cut;
      expect(whole).toBe(fat.exchanges[index]?.request.body.length);
      expect(exchange.request.cut > 0).toBe(!pointed.has(index));
    });
  });

  it('leaves out quiet exchanges where cutting is not enough, and counts them', () => {
    const data = pageData(fat, 40_000);
    expect(size(data.exchanges)).toBeLessThanOrEqual(40_000);
    expect(data.leftOut).toBe(fat.exchanges.length - data.exchanges.length);
    expect(data.leftOut).toBeGreaterThan(0);
    expect(data.findings.every((finding) => finding.exchange !== undefined)).toBe(true);
    for (const cell of data.cells)
      for (const index of cell.exchanges) expect(data.exchanges[index]).toBeDefined();
  });

  it('puts an exchange into its cell though the cell does not list it', () => {
    const cells = run.cells.map((cell) => ({ ...cell, exchanges: [] }));
    expect(pageData({ ...run, cells }).cells.map((cell) => cell.exchanges.length)).toEqual(
      pageData(run).cells.map((cell) => cell.exchanges.length),
    );
  });
});
