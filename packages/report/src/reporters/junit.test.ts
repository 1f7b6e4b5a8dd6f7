import type { RunReport } from '@plugfest/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { junitProblems, parseXml, type XmlNode } from '../fixtures/junit-format.ts';
import { cleanRun, emptyRun, hostileStrings, runMadeOf, sampleRun } from '../fixtures/sample-run.ts';
import { printable } from '../printable.ts';
import junit from './junit.ts';

const suites = (report: RunReport): readonly XmlNode[] => parseXml(junit.render(report)).children;
const suite = (report: RunReport, name: string): XmlNode | undefined =>
  suites(report).find((one) => one.attributes.name === name);
const testCase = (report: RunReport, suiteName: string, name: string): XmlNode | undefined =>
  suite(report, suiteName)?.children.find((one) => one.name === 'testcase' && one.attributes.name === name);
const properties = (node: XmlNode | undefined): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    (node?.children[0]?.children ?? []).map((one) => [one.attributes.name, one.attributes.value]),
  );
const output = (node: XmlNode | undefined): string =>
  node?.children.find((one) => one.name === 'system-out')?.text ?? '';

const run = sampleRun();

describe('junit', () => {
  it.each<[string, RunReport]>([
    ['a run of every kind', run],
    ['an empty run', emptyRun()],
    ['a clean run', cleanRun()],
    ['a run that starts at no known time', { ...run, run: { ...run.run, startedAt: 'yesterday' } }],
  ])('is what CI servers accept for %s', (_, report) => {
    expect(junitProblems(parseXml(junit.render(report)))).toEqual([]);
  });

  it('is what CI servers accept for a verdict alone', () => {
    const input = { verdict: run.verdict, rules: run.rules };
    const without = junit.renderVerdict?.(input) ?? '';
    expect(junitProblems(parseXml(without))).toEqual([]);
    expect(without).not.toContain('timestamp');
    expect(junit.renderVerdict?.({ ...input, startedAt: run.run.startedAt })).toContain(
      'timestamp="2026-01-05T10:00:00"',
    );
  });

  it('stays valid, and keeps the text, whatever comes from the wire', () => {
    const anyText = fc.oneof(
      fc.constantFrom(...hostileStrings),
      fc.string({ unit: 'binary', maxLength: 300 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const root = parseXml(junit.render(runMadeOf(() => text)));
        expect(junitProblems(root)).toEqual([]);
        const messages = root.children
          .flatMap((one) => one.children)
          .flatMap((one) => one.children)
          .filter((one) => one.name === 'failure')
          .map((one) => one.attributes.message ?? '');
        expect(messages.some((message) => message.includes(printable(text).slice(0, 200)))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('makes a suite of each pairing, then the rules, then the expectations', () => {
    expect(suites(run).map((one) => one.attributes.name)).toEqual([
      'alpha → beta, JSON-RPC 1.0',
      'alpha → beta, REST 1.0',
      'alpha → gamma, JSON-RPC 1.0',
      'beta → alpha, JSON-RPC 1.0',
      'beta → alpha, gRPC 1.0',
      'gamma → alpha, JSON-RPC 0.3',
      'rules',
      'expectations',
    ]);
  });

  it('says of a failed cell what failed, where, and which rule was broken', () => {
    const [failure] = testCase(run, 'alpha → beta, JSON-RPC 1.0', 'stream')?.children ?? [];
    expect(failure?.attributes).toEqual({
      type: 'failed',
      message: 'The last artifact never reached the client: it came after the terminal status.',
    });
    expect(failure?.text).toContain('cell: alpha~beta~JSONRPC~1.0~stream');
    expect(failure?.text).toContain(
      'where: exchange x00301, response, event 3, /result/artifactUpdate/artifact',
    );
  });

  it('tells a timeout from a failure', () => {
    const [failure] = testCase(run, 'alpha → gamma, JSON-RPC 1.0', 'delegate')?.children ?? [];
    expect(failure?.attributes.type).toBe('timeout');
  });

  it('skips what is unsupported, was not run or failed as expected, and says why', () => {
    const skipped = suites(run)
      .filter((one) => one.attributes.name !== 'rules')
      .flatMap((one) => one.children)
      .flatMap((one) => one.children)
      .filter((one) => one.name === 'skipped');
    expect(skipped.map((one) => one.attributes.message?.split(':')[0])).toEqual([
      'unsupported',
      'failed as expected',
      'unsupported',
      'unsupported',
      'not-run',
      'not-run',
    ]);
    expect(skipped[0]?.attributes.message).toBe(
      'unsupported: gamma answers UnsupportedOperationError to ListTasks.',
    );
  });

  it('shows an expected failure in the properties and the output, neither as a failure nor as a pass', () => {
    const one = suite(run, 'beta → alpha, JSON-RPC 1.0');
    expect(one?.attributes.failures).toBe('0');
    expect(testCase(run, 'beta → alpha, JSON-RPC 1.0', 'push-auth')?.children).toMatchObject([
      {
        name: 'skipped',
        attributes: {
          message:
            'failed as expected: The delivery had no token. (expected because: a2a-go issue 412, fixed in the next release)',
        },
      },
    ]);
    expect(properties(one)['expected-failure:push-auth']).toBe('a2a-go issue 412, fixed in the next release');
    expect(output(one)).toContain('expected failure: push-auth: The delivery had no token.');
  });

  it('makes a case of each exercised rule, failed where it was broken unexpectedly', () => {
    expect(testCase(run, 'rules', 'SSE-010')?.children[0]?.attributes).toEqual({
      type: 'MUST',
      message:
        'SSE-010 broken 2 times by beta (server): An artifact update follows the terminal status TASK_STATE_COMPLETED.',
    });
    const [foreseen] = testCase(run, 'rules', 'HOOK-004')?.children ?? [];
    expect(foreseen?.name).toBe('skipped');
    expect(foreseen?.attributes.message).toMatch(
      /^broken as expected: .* \(expected because: a2a-go issue 412, fixed in the next release\)$/,
    );
    expect(properties(suite(run, 'rules'))['expected-finding:HOOK-004 alpha']).toBe(
      'a2a-go issue 412, fixed in the next release',
    );
    const exercised = run.verdict.rules.filter((rule) => rule.exercised > 0 || rule.status === 'undecidable');
    expect(suite(run, 'rules')?.attributes.tests).toBe(String(exercised.length));
  });

  it('never lets an undecidable rule pass', () => {
    expect(testCase(run, 'rules', 'LIFE-002')?.children[0]?.attributes).toEqual({
      message: 'undecidable: evidence was cut off in 2 places',
    });
  });

  it('reports a rule that threw as an error', () => {
    const rules = run.verdict.rules.map((rule) =>
      rule.id === 'CARD-001' ? { ...rule, status: 'error' as const, error: 'TypeError: x' } : rule,
    );
    const [error] =
      testCase({ ...run, verdict: { ...run.verdict, rules } }, 'rules', 'CARD-001')?.children ?? [];
    expect([error?.name, error?.attributes.message]).toEqual(['error', 'TypeError: x']);
  });

  it('fails for an expectation that did not come true', () => {
    const report = { ...cleanRun(), staleCellExpectations: [{ cell: 'alpha~*', reason: 'issue 9' }] };
    expect(testCase(report, 'expectations', 'alpha~*')?.children[0]?.attributes).toEqual({
      type: 'stale',
      message: 'expected to fail, but did not: issue 9',
    });
    expect(suite(cleanRun(), 'expectations')?.attributes).toMatchObject({ tests: '1', failures: '0' });
  });

  it('gives times in seconds', () => {
    expect(testCase(run, 'alpha → gamma, JSON-RPC 1.0', 'delegate')?.attributes.time).toBe('10.000');
  });
});
