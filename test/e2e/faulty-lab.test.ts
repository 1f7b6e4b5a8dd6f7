import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, Verdict } from '@plugfest/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { captureRows } from './capture-rows.ts';
import { type Ended, plugfest } from './plugfest.ts';
import { readReport, readVerdict, runFiles } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const out = join(folder, 'faulty');
const capture = join(out, 'capture.sqlite');
let run: Ended;

beforeAll(async () => {
  run = await plugfest(['run', 'labs/faulty.yaml', '--out', out]);
}, 60_000);

/** A finding without what the exchange format has no place for: ids, and who of the callers is the harness. */
const gist = ({ rule, outcome, party, agent, at }: Finding): string =>
  JSON.stringify([rule, outcome, party === 'harness' ? 'client' : party, agent, at?.side, at?.event ?? null]);

describe('a lab with faulty agents', () => {
  it('fails with exit code 1 and all its files', () => {
    expect(run.code).toBe(1);
    expect(readdirSync(out).sort()).toEqual(runFiles);
    expect(readReport(out).exitCode).toBe(1);
  });

  it('names rule, server, agent, exchange and event of an event after the end', () => {
    const late = readVerdict(out).findings.filter(({ rule }) => rule === 'SSE-010');
    expect(late.length).toBeGreaterThan(0);
    for (const { party, agent, outcome, exchange, at, cell } of late) {
      expect({ party, agent, outcome }).toEqual({ party: 'server', agent: 'late', outcome: 'fail' });
      expect(at?.side).toBe('response');
      // The event named is really one of that answer, and the one before it ended the task.
      const [row] = captureRows<{ body: string; callee: string; cell: string }>(
        capture,
        `SELECT t.body, e.callee, e.cell FROM texts t JOIN exchanges e ON e.seq = t.seq
         WHERE t.id = '${exchange}' AND t.side = 'response'`,
      );
      expect(row).toMatchObject({ callee: 'late', cell });
      const events = row?.body.split(/\n\n/).filter((text) => text.startsWith('data:')) ?? [];
      const event = at?.event ?? -1;
      expect(events[event]).toBeDefined();
      expect(events.slice(0, event).join('\n')).toContain('TASK_STATE_COMPLETED');
    }
  });

  it('names rule, webhook sender, agent and exchange of a delivery without its credentials', () => {
    const mute = readVerdict(out).findings.filter(({ rule }) => rule === 'HOOK-005');
    expect(mute.length).toBeGreaterThan(0);
    for (const { party, agent, outcome, exchange, at } of mute) {
      expect({ party, agent, outcome }).toEqual({ party: 'webhook-sender', agent: 'mute', outcome: 'fail' });
      expect(at).toMatchObject({ side: 'request', header: 'Authorization' });
      const [row] = captureRows<{ caller: string; callee: string }>(
        capture,
        `SELECT caller, callee FROM exchanges WHERE id = '${exchange}'`,
      );
      expect(row).toMatchObject({ caller: 'mute', callee: 'plugfest' });
    }
  });

  it('blames nobody but the two agents that have a defect', () => {
    const blamed = readVerdict(out).findings.filter(({ outcome }) => outcome === 'fail');
    expect(new Set(blamed.map(({ agent }) => agent))).toEqual(new Set(['late', 'mute']));
  });

  it('prints the broken rules with party, agent and exchange on the terminal', () => {
    expect(run.stdout).toMatch(/^Fail /m);
    expect(run.stdout).toMatch(/SSE-010 +MUST +late \(server\)/);
    expect(run.stdout).toMatch(/HOOK-005 +MUST +mute \(webhook-sender\)/);
    const first = readVerdict(out).findings.find(({ rule }) => rule === 'SSE-010');
    expect(run.stdout).toContain(`${first?.exchange}, response, event ${first?.at?.event}`);
  });

  it('is judged by verify as by the run, twice in the same bytes', async () => {
    const [first, second] = await Promise.all([
      plugfest(['verify', capture, '--format', 'json']),
      plugfest(['verify', capture, '--format', 'json']),
    ]);
    expect(first.code).toBe(1);
    expect(second.stdout).toBe(first.stdout);
    expect((JSON.parse(first.stdout) as Verdict).findings).toEqual(readVerdict(out).findings);
  });

  it('keeps its findings through export and import', async () => {
    const exported = await plugfest(['export', capture, '--to', 'ndjson']);
    expect(exported.code).toBe(0);
    const traffic = join(folder, 'traffic.ndjson');
    const copy = join(folder, 'copy.sqlite');
    writeFileSync(traffic, exported.stdout);
    expect((await plugfest(['import', traffic, '-o', copy])).code).toBe(0);
    const judged = await plugfest(['verify', copy, '--format', 'json']);
    expect(judged.code).toBe(1);
    const before = readVerdict(out).findings.map(gist).sort();
    expect((JSON.parse(judged.stdout) as Verdict).findings.map(gist).sort()).toEqual(before);
  });

  it('shows each finding in the Markdown, HTML and JUnit reports', () => {
    for (const file of ['report.md', 'report.html', 'junit.xml']) {
      const text = readFileSync(join(out, file), 'utf8');
      for (const rule of new Set(readVerdict(out).findings.map((finding) => finding.rule)))
        expect(text, file).toContain(rule);
    }
  });
});
