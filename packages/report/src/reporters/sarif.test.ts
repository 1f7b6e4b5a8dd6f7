import { describe, expect, it } from 'vitest';
import { sampleRun } from '../fixtures/sample-run.ts';
import sarif from './sarif.ts';

const run = sampleRun();
const parsed = JSON.parse(sarif.render(run)).runs[0];

describe('sarif', () => {
  it('has a result for each finding, by level, tied to its rule', () => {
    expect(parsed.results).toHaveLength(run.verdict.findings.length);
    expect(parsed.results[0]).toMatchObject({ ruleId: 'SSE-010', level: 'error' });
    for (const result of parsed.results)
      expect(parsed.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(new Set(parsed.results.map((result: { level: string }) => result.level))).toEqual(
      new Set(['error', 'warning', 'note']),
    );
  });

  it('says where', () => {
    expect(parsed.results[0].locations[0].logicalLocations[0].fullyQualifiedName).toBe(
      'x00301, response, event 3, /result/artifactUpdate/artifact',
    );
  });

  it('suppresses expected findings with their reason, and no others', () => {
    const suppressed = parsed.results.filter((result: { suppressions?: unknown }) => result.suppressions);
    expect(suppressed).toHaveLength(1);
    expect(suppressed[0].suppressions[0].justification).toBe('a2a-go issue 412, fixed in the next release');
  });

  it('keeps its fingerprints from run to run', () => {
    const renumbered = structuredClone(run.verdict.findings).map((finding) => ({
      ...finding,
      exchange: `other-${finding.exchange}` as typeof finding.exchange,
    }));
    const other = JSON.parse(sarif.render({ ...run, verdict: { ...run.verdict, findings: renumbered } }))
      .runs[0];
    const prints = (results: readonly { partialFingerprints: unknown }[]) =>
      results.map((result) => result.partialFingerprints);
    expect(prints(other.results)).toEqual(prints(parsed.results));
    expect(new Set(prints(parsed.results).map((print) => JSON.stringify(print))).size).toBe(
      parsed.results.length,
    );
  });

  it('is not a successful execution where a rule threw', () => {
    expect(parsed.invocations[0].executionSuccessful).toBe(true);
    const verdict = {
      ...run.verdict,
      summary: { ...run.verdict.summary, error: 1 },
      rules: [
        {
          ...run.verdict.rules[0],
          status: 'error',
          error: 'TypeError',
        } as (typeof run.verdict.rules)[number],
      ],
    };
    expect(JSON.parse(sarif.render({ ...run, verdict })).runs[0].invocations[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'error', message: { text: 'TypeError' } }],
    });
  });
});
