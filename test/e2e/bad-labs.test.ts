import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labFile, stubCommand } from './lab-file.ts';
import { deadOrigin } from './local-server.ts';
import { errorLines, stackFrames } from './no-stack-trace.ts';
import { type Ended, plugfest } from './plugfest.ts';
import { readReport, runFiles } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
let runs = 0;

interface BadRun extends Ended {
  readonly out: string;
  readonly lab: string;
}

async function runLab(text: string): Promise<BadRun> {
  runs += 1;
  const out = join(folder, `out-${runs}`);
  const lab = labFile(folder, text);
  return { ...(await plugfest(['run', lab, '--out', out])), out, lab };
}

/** Exit code 2, one error that says this, and no stack trace. */
function expectRefusal({ code, stdout, stderr }: Ended, text: string | RegExp): void {
  expect(stackFrames(stdout + stderr)).toEqual([]);
  expect(errorLines(stderr), stderr).toHaveLength(1);
  expect(errorLines(stderr)[0]).toMatch(text);
  expect(code).toBe(2);
}

/** The capture of a run that failed is kept under its own name, which the hint says. */
async function expectReadable({ out, code, stderr }: BadRun): Promise<void> {
  const failed = code === 2;
  const capture = join(out, failed ? 'capture.failed.sqlite' : 'capture.sqlite');
  expect(readdirSync(out).sort()).toEqual(failed ? ['capture.failed.sqlite'] : runFiles);
  if (failed) expect(stderr).toContain(`What it recorded is in ${capture}.`);
  const verified = await plugfest(['verify', capture, '--format', 'json']);
  expect(verified.stderr).toBe('');
  expect([0, 1]).toContain(verified.code);
  expect(JSON.parse(verified.stdout)).toMatchObject({ capture: { gaps: 0 } });
}

const withAgent = (agent: string, startMs = 20_000): string => `
name: bad
timeouts: { startMs: ${startMs} }
scenarios: [send-blocking]
agents:
  strange: ${agent}
`;

describe.concurrent('a lab whose agent', () => {
  it('ends before it serves is refused with its exit code and last words, and the capture stays', async () => {
    const run = await runLab(withAgent(`{ command: ${stubCommand('dead')} }`));
    expectRefusal(run, /Agent strange ended before it was ready \(code 7\)/);
    expect(run.stderr).toContain('cannot find my model');
    await expectReadable(run);
  });

  it('cannot be started is refused with the name of the program', async () => {
    const run = await runLab(withAgent('{ command: [no-such-program-of-plugfest] }'));
    expectRefusal(run, /Agent strange .*no-such-program-of-plugfest/);
    await expectReadable(run);
  });

  it('never says that it serves is given up after startMs', async () => {
    const startMs = performance.now();
    const run = await runLab(withAgent(`{ command: ${stubCommand('never-ready')} }`, 1500));
    expectRefusal(run, /Agent strange printed no ready line within 1500 ms.*loading weights/);
    expect(performance.now() - startMs).toBeLessThan(15_000);
    await expectReadable(run);
  });

  it('answers its card with HTML has failed cells that say so', async () => {
    const run = await runLab(withAgent(`{ command: ${stubCommand('html-card')} }`));
    expect(stackFrames(run.stdout + run.stderr)).toEqual([]);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^unusable {2}strange {2}.*(HTML|text\/html)/im);
    const { cells } = readReport(run.out);
    expect(cells.length).toBeGreaterThan(0);
    for (const { outcome, reason } of cells.filter(({ server }) => server === 'strange')) {
      expect(outcome).toBe('failed');
      expect(reason).toMatch(/html/i);
    }
    await expectReadable(run);
  });

  it('has a card with wrong types has failed cells that name the member', async () => {
    const run = await runLab(withAgent(`{ command: ${stubCommand('wrong-types')} }`));
    expect(stackFrames(run.stdout + run.stderr)).toEqual([]);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^unusable {2}strange {2}.*(supportedInterfaces|name)/m);
    const { cells } = readReport(run.out);
    expect(cells.length).toBeGreaterThan(0);
    for (const { outcome } of cells.filter(({ server }) => server === 'strange'))
      expect(outcome).toBe('failed');
    await expectReadable(run);
  });

  it('is of a kind that is not there is refused with the kinds that are', async () => {
    const run = await runLab(withAgent('{ kind: cobol, protocol: "1.0" }'));
    expectRefusal(run, /no lab agent of kind "cobol"/);
    expect(run.stderr).toMatch(/js, .*python/);
  });

  it('cannot be reached has failed cells that say so', async () => {
    const run = await runLab(withAgent(`{ card: "${await deadOrigin()}" }`, 1500));
    expect(stackFrames(run.stdout + run.stderr)).toEqual([]);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^unusable {2}strange {2}\S/m);
    await expectReadable(run);
  });
});

describe.concurrent('a lab file', () => {
  it('with an unknown key is refused at its line and column, and nothing is written', async () => {
    const run = await runLab('name: bad\nagents:\n  amber: { kind: js, protocol: "1.0", colour: red }\n');
    expectRefusal(run, `${run.lab}:3:39: agents.amber.colour: unknown key`);
    expect(existsSync(run.out)).toBe(false);
  });

  it('with several mistakes is refused with all of them', async () => {
    const run = await runLab(
      'name: bad\nconcurency: 2\nagents:\n  amber: { kind: js, protocol: "2.0" }\n  birch: {}\n',
    );
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`${run.lab}:2:1: concurency: unknown key`);
  });

  it('with ten mistakes is refused with ten lines that say where, what and what was meant', async () => {
    const run = await runLab(
      [
        'name: hotel',
        'titel: Ours against others',
        'timeouts: { cellMs: 30s }',
        'agents:',
        '  amber: { kind: jss, protocol: both }',
        '  birch: { kind: js, protocol: 2.0 }',
        '  cedar: { card: "htp://127.0.0.1:4000" }',
        '  dahlia: { command: node agent.js }',
        'edges: [amber -> bich]',
        'bindings: [JSON-RPC]',
        'scenarios: [strem]',
        'faults: [{ fault: latencyy, delayMs: 10 }]',
        'expect:',
        '  findings: [{ rule: SSE-5, agent: anber, reason: known }]',
        '',
      ].join('\n'),
    );
    expect(run.code).toBe(2);
    const said = run.stderr.replaceAll(`${run.lab}:`, '');
    for (const line of [
      '2:1: titel: unknown key (did you mean title?)',
      '3:21: timeouts.cellMs: expected a number, not "30s"',
      '5:18: agents.amber.kind: there is no lab agent of kind "jss" (did you mean js?)',
      '6:32: agents.birch.protocol: expected one of 1.0, 0.3, both, not 2',
      '7:18: agents.cedar.card: not an http(s) URL',
      '8:22: agents.dahlia.command: expected a list, not "node agent.js"',
      '9:9: edges[0]: no agent named bich (did you mean birch?)',
      '10:12: bindings[0]: expected one of JSONRPC, HTTP+JSON, GRPC (did you mean JSONRPC?)',
      '11:13: scenarios[0]: "strem" names no scenario; did you mean stream?',
      '12:19: faults[0].fault: a fault is one of',
      '14:22: expect.findings[0].rule: "SSE-5" names no rule',
      '14:36: expect.findings[0].agent: "anber" names no agent (did you mean amber?)',
    ])
      expect(said).toContain(line);
    expect(said.trimEnd().split('\n')).toHaveLength(13);
  });

  it('that is no YAML is refused at its line and column', async () => {
    const run = await runLab('name: bad\nagents: {\n  amber: [\n');
    expectRefusal(run, /:\d+:\d+: /);
  });

  it('that names an unknown scenario is refused with the scenarios there are', async () => {
    const run = await runLab(
      'name: bad\nscenarios: [send-blocking, teleport]\nagents:\n  amber: { kind: js, protocol: "1.0" }\n',
    );
    expectRefusal(run, `${run.lab}:2:28: scenarios[1]: "teleport" names no scenario; there are `);
    expect(run.stderr).toContain('send-blocking');
  });

  it('with a header from an environment variable that is not set is refused with its name', async () => {
    const run = await runLab(
      `name: bad\nagents:\n  far:\n    card: http://127.0.0.1:9\n    headers: { Authorization: "Bearer \${PLUGFEST_E2E_UNSET}" }\n`,
    );
    expectRefusal(run, /:5:31: agents\.far\.headers\.Authorization: .*PLUGFEST_E2E_UNSET is not set/);
  });

  it('that is not there is refused with its path', async () => {
    const missing = join(folder, 'nowhere.yaml');
    expectRefusal(await plugfest(['run', missing, '--out', join(folder, 'no')]), missing);
  });
});
