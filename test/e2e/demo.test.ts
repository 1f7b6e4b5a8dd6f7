import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '@plugfest/model';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { captureRows } from './capture-rows.ts';
import { labFile } from './lab-file.ts';
import { type Ended, plugfest, repositoryRoot } from './plugfest.ts';
import { readReport, runFiles } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { ancestors, attribute, type OtlpSpan, spansOf, traceRequests } from './trace-file.ts';

/** A hop as its caller began it. */
const serverKind = 2;

const out = join(temporaryFolder(), 'demo');
let demo: Ended;

beforeAll(async () => {
  demo = await plugfest(['demo', '--out', out]);
}, 60_000);

describe('plugfest demo', () => {
  it('ends with exit code 0, finding nothing that its lab does not expect', () => {
    expect({ code: demo.code, stderr: demo.code === 0 ? '' : demo.stderr + demo.stdout }).toEqual({
      code: 0,
      stderr: '',
    });
    const unexpected = readReport(out).verdict.findings.filter(
      ({ outcome, expectedBecause }) => outcome === 'fail' && expectedBecause === undefined,
    );
    expect(unexpected).toEqual([]);
  });

  it('writes every file of a run', () => {
    expect(readdirSync(out).sort()).toEqual(runFiles);
  });

  it('says the verdict, the matrix and where the report lies', () => {
    const { agents, sentence } = readReport(out);
    expect(demo.stdout).toContain(sentence);
    for (const { name } of agents) expect(demo.stdout).toMatch(new RegExp(`^ .*\\b${name}\\b`, 'm'));
    expect(demo.stdout).toMatch(/^Report .*report\.html$/m);
  });

  it('runs every cell, and each works but those that its lab expects to fail', () => {
    const { cells } = readReport(out);
    expect(cells.length).toBeGreaterThan(0);
    const bad = cells.filter(
      ({ outcome, expectedBecause }) =>
        outcome !== 'ok' && outcome !== 'unsupported' && expectedBecause === undefined,
    );
    expect(bad.map(({ id, outcome, reason }) => `${id}: ${outcome}, ${reason}`)).toEqual([]);
    // The agents of the demo ask nobody who calls.
    const unsupported = cells.filter(({ outcome }) => outcome === 'unsupported');
    for (const { scenario } of unsupported)
      expect(scenario).toMatch(/^(auth|auth-(?!required).*|extended-card.*|extension-required)$/);
  });

  it('has the same verdict, byte for byte but for the root, after a round trip through NDJSON', async () => {
    const capture = join(out, 'capture.sqlite');
    const [ndjson, again] = [`${out}.ndjson`, `${out}-again.sqlite`];
    writeFileSync(ndjson, (await plugfest(['export', capture, '--to', 'ndjson'])).stdout);
    expect(await plugfest(['import', ndjson, '-o', again])).toMatchObject({ code: 0 });
    const [before, after] = await Promise.all(
      [capture, again].map(async (file) => {
        const { stdout } = await plugfest(['verify', file, '--format', 'json']);
        return stdout.replace(/"root": "sha256:[0-9a-f]+"/, '"root": "…"');
      }),
    );
    expect(before).toContain('"findings"');
    expect(after).toBe(before);
  });

  it('answers each of the queries that are documented', () => {
    const capture = join(out, 'capture.sqlite');
    const text = readFileSync(join(repositoryRoot, 'docs', 'capture-schema.md'), 'utf8');
    const queries = [...text.slice(text.indexOf('## Queries')).matchAll(/^(.+):\n\n((?: {4}.*\n)+)/gm)];
    expect(queries.length).toBeGreaterThanOrEqual(10);
    const [stream] = captureRows<{ id: string }>(
      capture,
      `SELECT e.id FROM exchanges e JOIN headers h ON h.exchange = e.seq AND h.side = 'response'
       WHERE h.value LIKE 'text/event-stream%' LIMIT 1`,
    );
    const [answer] = captureRows<{ body: string }>(
      capture,
      "SELECT body FROM texts WHERE side = 'response' AND body LIKE '%\"contextId\"%' LIMIT 1",
    );
    const task = /"id":"([0-9a-f-]{36})"/.exec(answer?.body ?? '')?.[1] ?? 'no task';
    for (const [, title = '', sql = ''] of queries) {
      const asked = sql.replaceAll("'x9'", `'${stream?.id}'`).replaceAll("'task-1'", `'${task}'`);
      const rows = captureRows(capture, asked);
      // Nothing is missing from a demo, and no agent of it speaks WebSocket.
      if (title === 'What is missing' || title.startsWith('WebSockets')) expect(rows, title).toEqual([]);
      else expect(rows.length, title).toBeGreaterThan(0);
    }
  });

  it('records each pair of agents in both directions, and webhooks on their way back', () => {
    const rows = captureRows<{ caller: string; callee: string; count: number }>(
      join(out, 'capture.sqlite'),
      'SELECT caller, callee, count(*) AS count FROM exchanges GROUP BY 1, 2',
    );
    const counts = new Map(rows.map(({ caller, callee, count }) => [`${caller} → ${callee}`, count]));
    const { agents, cells } = readReport(out);
    const pairs = new Set(
      cells
        .filter(({ client }) => client !== 'plugfest')
        .map(({ client, server }) => `${client} → ${server}`),
    );
    expect(pairs.size).toBeGreaterThanOrEqual(2);
    for (const pair of pairs) {
      const back = pair.split(' → ').reverse().join(' → ');
      expect(counts.get(pair), pair).toBeGreaterThan(0);
      expect(counts.get(back), back).toBeGreaterThan(0);
    }
    for (const { name } of agents) {
      expect(counts.get(`plugfest → ${name}`), `plugfest → ${name}`).toBeGreaterThan(0);
      expect(counts.get(`${name} → plugfest`), `${name} → plugfest`).toBeGreaterThan(0);
    }
  });

  it('stores the same spans in the capture as in the trace file', () => {
    const rows = captureRows<{ id: string }>(
      join(out, 'capture.sqlite'),
      "SELECT trace_id || '/' || span_id AS id FROM spans",
    );
    const inFile = spansOf(traceRequests(join(out, 'traces.otlp.jsonl')));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ id }) => id).sort()).toEqual(
      inFile.map(({ traceId, spanId }) => `${traceId}/${spanId}`).sort(),
    );
  });

  it('tells how to run its lab again by a path that is there', () => {
    const { lab, seed } = readReport(out).run;
    expect(existsSync(join(repositoryRoot, lab))).toBe(true);
    expect(readFileSync(join(out, 'report.md'), 'utf8')).toContain(`plugfest run ${lab} --seed ${seed}`);
  });

  it('writes the traces that its capture alone gives, byte for byte', async () => {
    const exported = await plugfest(['export', join(out, 'capture.sqlite'), '--to', 'otlp']);
    expect(exported.code).toBe(0);
    expect(exported.stdout === readFileSync(join(out, 'traces.otlp.jsonl'), 'utf8')).toBe(true);
  });

  it('writes the verdict that its capture alone gives, byte for byte, and says nothing there of its lab', async () => {
    const { code, stdout } = await plugfest(['verify', join(out, 'capture.sqlite'), '--format', 'json']);
    const written = readFileSync(join(out, 'verdict.json'), 'utf8');
    expect(stdout === written).toBe(true);
    expect(written).not.toMatch(/expectedBecause|staleExpectations/);
    expect(code).toBe(1);
  });

  it('is judged clean by verify where the findings of its lab are expected', async () => {
    const { code, stdout } = await plugfest([
      ...['verify', join(out, 'capture.sqlite'), '--expect', 'labs/demo.yaml', '--format', 'json'],
    ]);
    const verdict = JSON.parse(stdout) as Verdict;
    expect(code).toBe(0);
    expect(verdict).toEqual({ ...readReport(out).verdict, staleExpectations: [] });
    expect(verdict.summary.expected).toBeGreaterThan(0);
  });

  it('is not judged clean by verify where an expected finding did not happen, or in another scenario', async () => {
    const capture = join(out, 'capture.sqlite');
    // Its agents need not be there, nor what their environment would be made from.
    const lab = (findings: string) =>
      labFile(
        out,
        `name: x\nagents: { a: { card: "http://x", headers: { X: "\${UNSET}" } } }\nexpect:\n${findings}`,
      );
    const [, all = ''] = readFileSync(join(repositoryRoot, 'labs', 'demo.yaml'), 'utf8').split('expect:\n');
    const stale = lab(`${all}\n`.replace('  cells:', '    - { rule: SSE-010, reason: no more }\n  cells:'));
    const elsewhere = lab(
      all.replaceAll('      party: server', '      party: server\n      scenario: chain'),
    );
    const [one, other] = await Promise.all(
      [stale, elsewhere].map((file) => plugfest(['verify', capture, '--expect', file])),
    );
    expect(one?.code).toBe(1);
    expect(one?.stdout).toMatch(/^Fail .*1 expected finding did not happen/);
    expect(one?.stdout).toContain('SSE-010  no more');
    expect(other?.code).toBe(1);
    expect(other?.stdout).toMatch(/^Fail .*RPC-013/);
  });

  it('writes a JUnit file with a test case for each cell', () => {
    const text = readFileSync(join(out, 'junit.xml'), 'utf8');
    expect(XMLValidator.validate(text)).toBe(true);
    const parsed = new XMLParser({
      ignoreAttributes: false,
      isArray: (name) => name === 'testsuite' || name === 'testcase',
    }).parse(text) as {
      testsuites: { testsuite: { testcase: { '@_name': string; failure?: unknown }[]; '@_tests': string }[] };
    };
    const suites = parsed.testsuites.testsuite;
    for (const suite of suites) expect(suite.testcase).toHaveLength(Number(suite['@_tests']));
    const scenarios = new Set(suites.flatMap(({ testcase }) => testcase.map((each) => each['@_name'])));
    for (const { scenario } of readReport(out).cells) expect(scenarios).toContain(scenario);
  });

  it('writes an HTML report that refers to nothing outside of itself, and forbids it too', () => {
    const html = readFileSync(join(out, 'report.html'), 'utf8');
    expect(html).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
    const styles = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text]) => text).join('\n');
    expect(styles).not.toBe('');
    expect(styles).not.toMatch(/@import|url\((?!["']?(?:data:|#))/);
    const markup = html.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '<$1>');
    expect(markup).not.toMatch(/<(?:link|iframe|object|embed|base)\b/i);
    expect(html).not.toMatch(/<script[^>]*\ssrc\s*=/i);
    const pointing = /\s(?:src|srcset|href|action|data|poster)\s*=\s*["']?(?!["']?(?:#|data:))[^>]*/i;
    expect(pointing.exec(markup)?.[0]).toBeUndefined();
  });
});

describe('the trace file of the demo', () => {
  let spans: readonly OtlpSpan[];
  const inCell = (scenario: string): { readonly client: string; readonly spans: readonly OtlpSpan[] } => {
    const cell = readReport(out).cells.find(
      (each) => each.scenario === scenario && each.client !== 'plugfest',
    );
    if (!cell) throw new Error(`the demo has no cell ${scenario}`);
    return {
      client: cell.client,
      spans: spans.filter((span) => attribute(span, 'plugfest.cell') === cell.id),
    };
  };

  beforeAll(() => {
    spans = spansOf(traceRequests(join(out, 'traces.otlp.jsonl')));
  });

  it('has OTLP JSON in every line', () => {
    const requests = traceRequests(join(out, 'traces.otlp.jsonl'));
    for (const { resourceSpans } of requests) {
      for (const { resource } of resourceSpans)
        expect(resource.attributes).toContainEqual({
          key: 'service.name',
          value: { stringValue: 'plugfest' },
        });
    }
    const wrong = spans.filter(
      ({ traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano }) =>
        !/^[0-9a-f]{32}$/.test(traceId) ||
        !/^[0-9a-f]{16}$/.test(spanId) ||
        !(parentSpanId === undefined || /^[0-9a-f]{16}$/.test(parentSpanId)) ||
        name === '' ||
        ![1, 2, 3, 4, 5].includes(kind) ||
        typeof startTimeUnixNano !== 'string' ||
        BigInt(startTimeUnixNano) > BigInt(endTimeUnixNano),
    );
    expect(wrong).toEqual([]);
  });

  it('has one trace for each cell', () => {
    const traces = new Map<string, Set<string>>();
    for (const span of spans) {
      const cell = attribute(span, 'plugfest.cell');
      if (cell !== undefined) traces.set(cell, (traces.get(cell) ?? new Set()).add(span.traceId));
    }
    const run = readReport(out).cells.filter(({ outcome }) => outcome !== 'unsupported');
    expect(traces.size).toBe(run.length);
    expect([...traces].filter(([, ids]) => ids.size > 1)).toEqual([]);
    expect(new Set([...traces.values()].flatMap((ids) => [...ids])).size).toBe(traces.size);
  });

  it('hangs a webhook delivery below the send that caused it', () => {
    const { client, spans: own } = inCell('push-inline');
    const deliveries = own.filter((span) => attribute(span, 'plugfest.kind') === 'webhook');
    expect(deliveries.length).toBeGreaterThan(0);
    for (const delivery of deliveries) {
      const send = ancestors(delivery, spans).find(
        (span) => attribute(span, 'a2a.method.name') === 'SendMessage',
      );
      expect(send && attribute(send, 'plugfest.caller')).toBe(client);
      expect(send?.traceId).toBe(delivery.traceId);
    }
  });

  for (const scenario of ['delegation', 'chain', 'send-and-poll', 'cancel'])
    it(`hangs each call of an agent in ${scenario} below the send that told it to call`, () => {
      const { client, spans: own } = inCell(scenario);
      const calls = own.filter(
        (span) => span.kind === serverKind && attribute(span, 'plugfest.caller') === client,
      );
      expect(calls.map((call) => attribute(call, 'a2a.method.name'))).toContain('SendMessage');
      for (const call of calls) {
        const told = ancestors(call, spans).find((span) => attribute(span, 'plugfest.callee') === client);
        expect(told && attribute(told, 'plugfest.caller')).toBe('plugfest');
        expect(told && attribute(told, 'a2a.method.name')).toBe('SendMessage');
      }
    });

  it('leaves no call of an agent without its cause, but card fetches of many at once', () => {
    const { exchanges, links } = readReport(out);
    const parents = new Map(links.map(({ exchange, parent }) => [exchange, parent]));
    const orphans = exchanges.filter(({ id, caller }) => caller !== 'plugfest' && !parents.get(id));
    const gist = ({ cell, label }: (typeof exchanges)[number]) => `${cell?.split('/').at(-1)}: ${label}`;
    // Those that tell an agent several things at once.
    const atOnce = ['cancel-stream', 'concurrent', 'context-tasks', 'subscribers'];
    for (const orphan of new Set(orphans.map(gist)))
      expect(atOnce.map((scenario) => `${scenario}: agent card`)).toContain(orphan);
    expect(orphans.map(gist)).toContain('concurrent: agent card');
  });

  it('hangs each of many sends at once below the instruction that holds its text', () => {
    const { exchanges, links } = readReport(out);
    const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
    const nonces = (body: string | undefined) => new Set(body?.match(/\bN[0-9a-f]{24}\b/g));
    const sends = links.flatMap(({ exchange, parent }) => {
      const hop = byId.get(exchange);
      const cause = parent === undefined ? undefined : byId.get(parent);
      if (!hop?.cell?.endsWith('/concurrent') || !hop.label.startsWith('Send')) return [];
      return [{ sent: nonces(hop.request.body), told: nonces(cause?.request.body) }];
    });
    expect(sends.length).toBeGreaterThanOrEqual(32);
    for (const { sent, told } of sends) {
      expect(sent.size).toBe(1);
      expect(told).toEqual(sent);
    }
  });
});
