import { expect, test } from 'vitest';
import { lab, realKinds } from '../testing/labs.ts';
import { passThrough } from '../testing/pass-through.ts';
import { runLab } from './run-lab.ts';

const two = 'name: two\nseed: 1\nconcurrency: 6\nagents:\n';

test('two agents on the official JavaScript SDK pass every scenario but those it is known for, in both directions', async () => {
  const proxy = passThrough();
  const run = await runLab(
    lab(
      `${two}  amber: { kind: js, protocol: "1.0", bindings: [JSONRPC] }\n  birch: { kind: js, protocol: both, bindings: [JSONRPC, HTTP+JSON] }\n`,
    ),
    { interposer: proxy, resolveKind: realKinds },
  );
  // Failed cells are tried once more with a reference peer; those are no cells of the lab.
  const cells = run.cells.filter(({ client, server }) => client !== 'reference' && server !== 'reference');
  // What the SDK does there is in docs/sdk-findings.md.
  const known = [
    /^plugfest>\w+\/JSONRPC\/1\.0\/errors-invalid-request$/,
    /^plugfest>\w+\/.*\/1\.0\/versions$/,
    />birch\/HTTP\+JSON\/0\.3\/history-length$/,
    /^amber>birch\/HTTP\+JSON\/0\.3\/stream$/,
  ];
  expect(
    cells
      .filter(({ outcome }) => outcome !== 'unsupported')
      .filter(({ id, outcome }) => outcome !== (known.some((each) => each.test(id)) ? 'failed' : 'ok'))
      .map(({ id, outcome, reason }) => `${id}: ${outcome}, ${reason}`),
  ).toEqual([]);
  // Nor is it forbidden to follow a redirect, or to take no more than 100 kB: those cells say so.
  const advised = cells.filter(({ checks }) => checks.some(({ ok, level }) => !ok && level === 'SHOULD'));
  expect(new Set(advised.map(({ scenario }) => scenario))).toEqual(
    new Set(['large-file', 'webhook-redirect']),
  );
  for (const { outcome, notes = [] } of advised) {
    expect(outcome).toBe('ok');
    expect(notes.join()).toMatch(/\(a SHOULD of A2A 1\.0 section 13\.[24]\)$/);
  }
  // The agents are started without principals.
  expect(cells.filter(({ outcome }) => outcome === 'unsupported').map(({ scenario }) => scenario)).toContain(
    'auth',
  );
  expect(run.bypass).toEqual([]);
  expect(run.faults).toEqual([]);
  const dialects = new Set(
    cells.map((cell) => `${cell.client}>${cell.server} ${cell.binding} ${cell.version}`),
  );
  expect([...dialects].sort()).toEqual([
    'amber>birch HTTP+JSON 0.3',
    'amber>birch HTTP+JSON 1.0',
    'amber>birch JSONRPC 0.3',
    'amber>birch JSONRPC 1.0',
    'birch>amber JSONRPC 1.0',
    'plugfest>amber JSONRPC 1.0',
    'plugfest>birch HTTP+JSON 0.3',
    'plugfest>birch HTTP+JSON 1.0',
    'plugfest>birch JSONRPC 0.3',
    'plugfest>birch JSONRPC 1.0',
  ]);
  // Each request of a cell went through a tap of that cell.
  const withCell = proxy.passed.filter(({ spec }) => spec.caller !== 'plugfest');
  expect(withCell.length).toBeGreaterThan(100);
  expect(withCell.filter(({ spec }) => spec.cell === undefined)).toEqual([]);
  // What asks for a task that nobody gave goes to the server as a probe, whoever sends it; a subscription, too.
  const invented = proxy.passed.filter(({ target }) => /\/no-such-task-\w+:subscribe/.test(target));
  expect(new Set(invented.map(({ spec }) => spec.purpose))).toEqual(new Set(['probe']));
  expect(new Set(invented.map(({ spec }) => spec.caller))).toEqual(new Set(['plugfest', 'amber']));
}, 120_000);

test('a webhook without its token fails the push scenarios, and says so', async () => {
  const run = await runLab(
    lab(
      `${two}  mute: { kind: js, protocol: "1.0", bindings: [JSONRPC], fault: webhook-without-token }\nscenarios: [push-inline, push-create]\n`,
    ),
    { interposer: passThrough(), resolveKind: realKinds },
  );
  expect(run.cells.map(({ scenario, outcome, reason }) => [scenario, outcome, reason])).toEqual([
    [
      'push-create',
      'failed',
      expect.stringMatching(/^not true that each delivery carries the registered credentials: absent in \d/),
    ],
    [
      'push-inline',
      'failed',
      expect.stringMatching(/^not true that each delivery carries the registered token: absent in \d/),
    ],
  ]);
}, 60_000);
