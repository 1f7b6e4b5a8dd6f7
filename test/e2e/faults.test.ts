import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { captureRows } from './capture-rows.ts';
import { labFile } from './lab-file.ts';
import { plugfest, repositoryRoot, startPlugfest } from './plugfest.ts';
import { readReport, readVerdict } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

const lab = `name: clean
concurrency: 8
seed: 3
timeouts: { cellMs: 8000 }
agents:
  amber: { kind: js, protocol: "1.0" }
  birch: { kind: js, protocol: "1.0" }
scenarios: [discovery, send-blocking, get-task, errors-malformed-json, errors-unknown-task, stream, resubscribe, push-inline, push-create]
`;

/** Each fault in a cell of its own, so that one run plays all; the edge leaves out what tells the client what to do. */
const played: readonly (readonly [cell: string, edge: string, fault: string])[] = [
  ['amber>birch/JSONRPC/1.0/stream', 'amber -> birch', 'fault: drop-message, event: 2'],
  ['amber>birch/HTTP+JSON/1.0/stream', 'amber -> birch', 'fault: duplicate-message'],
  ['birch>amber/JSONRPC/1.0/stream', 'birch -> amber', 'fault: reorder-messages'],
  ['birch>amber/HTTP+JSON/1.0/stream', 'birch -> amber', 'fault: delay-message, delayMs: 150'],
  ['plugfest>amber/JSONRPC/1.0/stream', '* -> *', 'fault: malformed-json, event: 1'],
  ['plugfest>amber/HTTP+JSON/1.0/stream', '* -> *', 'fault: rechunk, sizeBytes: 5, vary: true'],
  ['plugfest>birch/JSONRPC/1.0/stream', '* -> *', 'fault: bandwidth, bytesPerSecond: 3000'],
  ['plugfest>birch/HTTP+JSON/1.0/stream', '* -> *', 'fault: override, status: 200, body: "data: 7\\n\\n"'],
  ['amber>birch/JSONRPC/1.0/resubscribe', 'amber -> birch', 'fault: cut, afterEvents: 1'],
  ['birch>amber/JSONRPC/1.0/resubscribe', 'birch -> amber', 'fault: latency, delayMs: 200'],
  ['plugfest>amber/JSONRPC/1.0/resubscribe', '* -> *', 'fault: cut, afterBytes: 40, how: reset'],
  ['amber>birch/JSONRPC/1.0/send-blocking', 'amber -> birch', 'fault: reset, operation: SendMessage'],
  [
    'birch>amber/JSONRPC/1.0/send-blocking',
    'birch -> amber',
    'fault: reset, on: request, operation: SendMessage',
  ],
  ['plugfest>amber/JSONRPC/1.0/send-blocking', '* -> *', 'fault: hang, forMs: 300, operation: SendMessage'],
  [
    'plugfest>birch/JSONRPC/1.0/send-blocking',
    '* -> *',
    'fault: hang, on: request, forMs: 300, operation: SendMessage',
  ],
  [
    'amber>birch/JSONRPC/1.0/get-task',
    'amber -> birch',
    'fault: override, status: 503, body: busy, operation: GetTask',
  ],
  [
    'birch>amber/JSONRPC/1.0/get-task',
    'birch -> amber',
    'fault: latency, on: request, delayMs: 200, operation: GetTask',
  ],
  ['amber>birch/JSONRPC/1.0/discovery', 'amber -> birch', 'fault: stale-card, interfacePath: /gone'],
  [
    'birch>amber/HTTP+JSON/1.0/errors-unknown-task',
    'birch -> amber',
    'fault: stale-card, interfacePath: /gone',
  ],
  ['plugfest>amber/JSONRPC/1.0/errors-malformed-json', '* -> *', 'fault: reset, nth: 2'],
  ['birch>amber/HTTP+JSON/1.0/resubscribe', 'birch -> amber', 'fault: sse-syntax'],
  [
    'amber>birch/GRPC/1.0/get-task',
    'amber -> birch',
    'fault: grpc-status, status: UNAVAILABLE, operation: GetTask',
  ],
  ['amber>birch/JSONRPC/1.0/push-inline', '* -> plugfest', 'fault: webhook-duplicate'],
  ['birch>amber/JSONRPC/1.0/push-inline', '* -> plugfest', 'fault: webhook-delay, delayMs: 300'],
  ['plugfest>amber/JSONRPC/1.0/push-inline', '* -> plugfest', 'fault: webhook-drop'],
  ['plugfest>birch/JSONRPC/1.0/push-inline', '* -> plugfest', 'fault: webhook-wrong-token'],
  ['plugfest>birch/JSONRPC/1.0/push-create', '* -> plugfest', 'fault: webhook-drop, status: 503'],
];

const blamed = (out: string): readonly string[] => [
  ...new Set(
    readVerdict(out)
      .findings.filter(({ outcome }) => outcome !== 'info')
      .map(({ rule, party, agent }) => `${rule} ${party} ${agent}`),
  ),
];

describe('a clean lab session with faults', () => {
  const clean = join(folder, 'clean');
  const faulty = join(folder, 'faulty');

  beforeAll(async () => {
    await plugfest(['run', labFile(folder, lab), '--out', clean]);
    const faults = played.map(
      ([cell, edge, fault]) => `  - { cell: "${cell}", edge: "${edge}", ${fault} }\n`,
    );
    await plugfest(['run', labFile(folder, `${lab}faults:\n${faults.join('')}`), '--out', faulty]);
  }, 120_000);

  it('has each kind of fault acting', () => {
    const acted = readReport(faulty).notes.filter((note) => note.startsWith('Fault '));
    expect(acted).toHaveLength(played.length);
    for (const note of acted) expect(note).not.toContain('acted on 0');
    const kinds = readdirSync(join(repositoryRoot, 'packages/proxy/src/faults/kinds')).map((file) =>
      file.slice(0, -3),
    );
    const shown = new Set(played.map(([, , fault]) => /^fault: ([a-z-]+)/.exec(fault)?.[1]));
    expect(kinds.filter((kind) => !shown.has(kind))).toEqual([]);
  });

  it('blames nobody for what a fault did', () => {
    expect(readReport(clean).cells.every(({ outcome }) => outcome === 'ok')).toBe(true);
    // Cells do fail: the faults are felt, and still nobody broke a rule.
    expect(readReport(faulty).cells.some(({ outcome }) => outcome === 'failed')).toBe(true);
    // A lab agent resolves the card anew for each call that it is told to make; which of them is seen to is chance.
    const ofLabs = (finding: string): boolean => finding.startsWith('CACHE-006 client ');
    expect(blamed(faulty).filter((finding) => !blamed(clean).includes(finding) && !ofLabs(finding))).toEqual(
      [],
    );
  });

  it('says so: rules that cannot tell are undecidable, none failed in itself', () => {
    const { summary } = readVerdict(faulty);
    expect(summary.error).toBe(0);
    expect(readReport(faulty).exitCode).toBe(1);
  });

  it('excuses the same after export and import', async () => {
    const exported = await plugfest(['export', join(faulty, 'capture.sqlite'), '--to', 'ndjson']);
    const [traffic, copy] = [join(folder, 'faulty.ndjson'), join(folder, 'copy.sqlite')];
    writeFileSync(traffic, exported.stdout);
    const imported = await plugfest(['import', traffic, '-o', copy]);
    expect(imported.stderr).not.toContain('PLUGFEST_');
    const { stdout } = await plugfest(['verify', copy, '--format', 'json']);
    const { findings } = JSON.parse(stdout) as ReturnType<typeof readVerdict>;
    const fails = findings
      .filter(({ outcome }) => outcome === 'fail')
      .map(({ rule, agent }) => `${rule} ${agent}`);
    const before = readVerdict(faulty).findings.filter(({ outcome }) => outcome === 'fail');
    expect(fails).toEqual(before.map(({ rule, agent }) => `${rule} ${agent}`));
  });

  it('keeps what the callee really sent', () => {
    const [row] = captureRows<{ body: string; ended: string }>(
      join(faulty, 'capture.sqlite'),
      `SELECT t.body, n.kind AS ended FROM texts t JOIN exchanges e ON e.seq = t.seq JOIN ends n ON n.exchange = e.seq
       WHERE e.cell = 'amber>birch/JSONRPC/1.0/stream' AND e.caller = 'amber' AND t.side = 'response' AND e.method = 'POST'`,
    );
    const changes = captureRows<{ before: string }>(
      join(faulty, 'capture.sqlite'),
      `SELECT c.before FROM changes c JOIN exchanges e ON e.seq = c.exchange
       WHERE e.cell = 'amber>birch/JSONRPC/1.0/stream' AND c.reason = 'fault-drop-message' AND c.place = 'body'`,
    );
    expect(row?.ended).toBe('complete');
    expect(changes).toHaveLength(1);
    expect(row?.body).toContain(changes[0]?.before.trim());
  });
});

describe('plugfest proxy', () => {
  it('plays the faults of a file, and switches them by the control API', async () => {
    await using server = await answering();
    const faults = join(folder, 'faults.yaml');
    writeFileSync(faults, 'faults:\n  - { id: busy, fault: override, status: 503 }\n');
    const capture = join(folder, 'proxy.sqlite');
    const edge = `client=hotel@${server.origin}`;
    const proxy = startPlugfest([
      'proxy',
      '--edge',
      edge,
      '--capture',
      capture,
      '--faults',
      faults,
      '--control',
      '0',
    ]);
    const [, tap = ''] = await proxy.shows(/client -> hotel {2}(\S+)/);
    const [, api = '', token = ''] = await proxy.shows(
      /Control API: (\S+), Authorization: Bearer (\S+)/,
      'stderr',
    );
    const status = async () => (await fetch(tap)).status;
    const headers = { authorization: `Bearer ${token}` };
    expect(await status()).toBe(503);
    expect((await fetch(`${api}/faults/busy`, { method: 'DELETE' })).status).toBe(401);
    expect((await fetch(`${api}/faults/busy`, { method: 'DELETE', headers })).status).toBe(204);
    expect(await status()).toBe(200);
    const body = '{"fault":"override","status":418}';
    expect((await fetch(`${api}/faults/tea`, { method: 'PUT', headers, body })).status).toBe(201);
    expect(await status()).toBe(418);
    proxy.signal('SIGINT');
    expect((await proxy.ended).code).toBe(0);
    const rows = captureRows<{ status: number }>(capture, 'SELECT status FROM exchanges ORDER BY seq');
    expect(rows.map((row) => row.status)).toEqual([200, 200, 200]);
    const notes = captureRows<{ text: string }>(
      capture,
      "SELECT text FROM notes WHERE topic = 'fault-switched'",
    );
    expect(notes).toHaveLength(2);
    expect(JSON.stringify(notes)).not.toContain(token);
  });

  it('names the line and column of what is wrong in a file of faults', async () => {
    const faults = join(folder, 'wrong.yaml');
    writeFileSync(faults, 'faults:\n  - { fault: cut, afterEvent: 1 }\n');
    const args = ['proxy', '--edge', 'a=b@http://127.0.0.1:9', '--capture', join(folder, 'no.sqlite')];
    const ended = await plugfest([...args, '--faults', faults]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/wrong\.yaml:2:\d+: faults\[0\]\.afterEvent: unknown key/);
    expect((await plugfest([...args, '--control', 'x'])).code).toBe(2);
    expect(readdirSync(folder)).not.toContain('no.sqlite');
  });
});

async function answering(): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer((_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
