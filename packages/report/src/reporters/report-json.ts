import type { RunReport } from '@plugfest/model';
import { verdictOrder } from '../order-of-verdict.ts';
import { type Order, orderedJson } from '../ordered.ts';
import type { Reporter } from '../reporter.ts';

const message = { head: true, body: true, truncated: true } as const;

const reportOrder: Order<RunReport> = {
  schema: true,
  run: {
    id: true,
    lab: true,
    title: true,
    startedAt: true,
    durationMs: true,
    seed: true,
    tracing: true,
    plugfest: true,
    node: true,
  },
  sentence: true,
  exitCode: true,
  agents: {
    name: true,
    about: true,
    cardUrl: true,
    versions: true,
    bindings: true,
    propagation: { agent: true, verdict: true, hops: true },
  },
  cells: {
    id: true,
    client: true,
    server: true,
    binding: true,
    version: true,
    scenario: true,
    outcome: true,
    reason: true,
    notes: true,
    repeats: { ok: true, of: true },
    standIn: true,
    blame: { party: true, ambiguity: true, clientCell: true, serverCell: true },
    checks: { name: true, ok: true, level: true, detail: true },
    durationMs: true,
    exchanges: true,
    expectedBecause: true,
  },
  bypass: { agent: true, method: true, detail: true, cell: true },
  notes: true,
  gaps: { atNs: true, reason: true, exchange: true, lostBytes: true, detail: true },
  staleCellExpectations: { cell: true, reason: true },
  verdict: verdictOrder,
  exchanges: {
    id: true,
    seq: true,
    cell: true,
    caller: true,
    callee: true,
    kind: true,
    atMs: true,
    durationMs: true,
    label: true,
    status: true,
    end: true,
    request: message,
    response: message,
  },
  links: {
    exchange: true,
    parent: true,
    method: true,
    confidence: true,
    also: { exchange: true, reason: true },
  },
  comparison: {
    with: { id: true, startedAt: true, seed: true },
    changes: { cell: true, was: true, is: true, direction: true, newlyBroken: true, mended: true },
    added: true,
    removed: true,
  },
  rules: { id: true, level: true, party: true, summary: true, section: true, why: true, fix: true },
};

const reportJson: Reporter = {
  format: 'report-json',
  about: 'Everything about a run as JSON (plugfest.report/1): cells, agents, exchanges and the verdict.',
  file: 'report.json',
  render: (report) => orderedJson(report, reportOrder),
};

export default reportJson;
