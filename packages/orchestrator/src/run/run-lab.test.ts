import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { CellResult } from '@plugfest/model';
import { describe, expect, test } from 'vitest';
import { lab, realKinds } from '../testing/labs.ts';
import { passThrough } from '../testing/pass-through.ts';
import type { LabRun } from './lab-run.ts';
import type { ProgressEvent } from './progress.ts';
import { type RunLabOptions, runLab } from './run-lab.ts';

interface Tried extends LabRun {
  readonly events: readonly ProgressEvent[];
  cell(id: string): CellResult;
}

async function tryLab(text: string, options: Partial<RunLabOptions> = {}): Promise<Tried> {
  const proxy = passThrough();
  const events: ProgressEvent[] = [];
  const run = await runLab(lab(text), {
    interposer: proxy,
    resolveKind: realKinds,
    seed: 1,
    ...options,
    onProgress: (event) => {
      events.push(event);
      options.onProgress?.(event);
    },
  });
  expect(run.faults).toEqual([]);
  expect(proxy.openTaps()).toBe(0);
  return {
    ...run,
    events,
    cell: (id) => {
      const found = run.cells.find((cell) => cell.id === id);
      if (!found) throw new Error(`no cell ${id}; there are ${run.cells.map((cell) => cell.id).join(' ')}`);
      return found;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const one = (mode: string, more = '') => `name: x\n${more}\nagents:\n  fake: { command: fake(${mode}) }\n`;

describe('an agent whose card is unusable', () => {
  test.each([
    ['html', 'fake: its card (/.well-known/agent-card.json) is an HTML page, not JSON'],
    ['wrong-types', 'fake: its card has wrong types: /name: expected string, received number'],
    ['smoke', 'fake: its card offers no interface that Plugfest speaks'],
  ])('(%s) fails all its cells with the reason', async (mode, reason) => {
    const run = await tryLab(one(mode, 'scenarios: [discovery, send-blocking]'));
    expect(run.cells).toHaveLength(2);
    for (const cell of run.cells) {
      expect(cell).toMatchObject({ outcome: 'failed' });
      expect(cell.reason).toContain(reason);
    }
    expect(run.agents[0]).toMatchObject({ versions: [], problem: expect.any(String) });
  });

  test('because nobody is there fails its cells, too, and not those of others', async () => {
    const run = await tryLab(
      'name: x\nscenarios: [send-blocking]\nagents:\n  gone: { card: "http://127.0.0.1:9/", timeouts: { startMs: 500 } }\n  fake: { command: fake(good) }\n',
    );
    expect(run.cell('plugfest>gone/JSONRPC/1.0/send-blocking')).toMatchObject({
      outcome: 'failed',
      reason: 'gone: it cannot be reached (upstream-unreachable)',
    });
    expect(run.cell('plugfest>fake/JSONRPC/1.0/send-blocking')).toMatchObject({ outcome: 'ok' });
  });
});

describe('an agent that misbehaves', () => {
  test('by dying fails its cells with its last words, and the others go on', async () => {
    const run = await tryLab(
      'name: x\nconcurrency: 1\nscenarios: [send-blocking, get-task]\nagents:\n  bad: { command: fake(dies) }\n  good: { command: fake(good) }\n',
    );
    for (const scenario of ['send-blocking', 'get-task'])
      expect(run.cell(`plugfest>bad/JSONRPC/1.0/${scenario}`)).toMatchObject({
        outcome: 'failed',
        reason: 'bad ended during the run (code 7): out of memory',
      });
    expect(run.cell('plugfest>good/JSONRPC/1.0/send-blocking').outcome).toBe('ok');
  });

  test('by dying once is started again where that can be, and its cells say so', async () => {
    const port = await freePort();
    const bad = `{ command: fake(dies), env: { FAKE_PORT: "${port}" }, card: "http://127.0.0.1:${port}/" }`;
    const run = await tryLab(
      `name: x\nconcurrency: 1\nscenarios: [cancel, discovery]\nagents:\n  bad: ${bad}\n`,
    );
    expect(run.cell('plugfest>bad/JSONRPC/1.0/cancel')).toMatchObject({
      outcome: 'failed',
      reason: 'bad ended during the run (code 7): out of memory',
    });
    const again = 'bad had ended (code 7) and was started again, once.';
    expect(run.cell('plugfest>bad/JSONRPC/1.0/discovery')).toMatchObject({
      outcome: 'ok',
      notes: [again],
    });
    expect(run.notes).toContain(again);
  });

  test('by never answering runs into the time box', async () => {
    const run = await tryLab(one('hangs', 'scenarios: [send-blocking]\ntimeouts: { cellMs: 300 }'));
    expect(run.cells).toMatchObject([
      { outcome: 'timeout', reason: 'not done within 300 ms and nothing was seen of it' },
    ]);
  });

  test('by mixing up what runs at once fails `concurrent`', async () => {
    const run = await tryLab(one('crossing', 'scenarios: [concurrent, send-blocking]'));
    expect(run.cell('plugfest>fake/JSONRPC/1.0/send-blocking').outcome).toBe('ok');
    const crossed = run.cell('plugfest>fake/JSONRPC/1.0/concurrent');
    expect(crossed.outcome).toBe('failed');
    expect(crossed.reason).toMatch(
      /nothing crosses from plugfest to fake: \d+ mix-ups; the first: the answer to/,
    );
    const good = await tryLab(one('good', 'scenarios: [concurrent]'));
    expect(good.cells).toMatchObject([{ outcome: 'ok' }]);
  });

  test('by answering a drive call with something else fails the cells in which it is the client', async () => {
    const run = await tryLab(
      'name: x\nscenarios: [send-blocking]\nedges: [mute -> fake]\nagents:\n  mute: { command: fake(good), drive: true }\n  fake: { command: fake(good) }\n',
    );
    expect(run.cell('mute>fake/JSONRPC/1.0/send-blocking')).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^mute answered the drive call SendMessage without a drive-result/),
    });
  });
});

test('an agent that takes no drive calls is asked in words; Plugfest stands in for one that does not do it', async () => {
  const proxy = passThrough();
  const words = '{ message: "Ask {{peer.name}} at {{peer.card}} to {{task}}" }';
  const asked = (mode: string) => `{ command: fake(${mode}), delegate: ${words} }`;
  const text = `name: x\nscenarios: [asked, discovery]\nedges: [obliging -> fake, idle -> fake]\nagents:\n  obliging: ${asked('obliging')}\n  idle: ${asked('good')}\n  fake: { command: fake(good) }\n`;
  const run = await runLab(lab(text), {
    interposer: proxy,
    resolveKind: realKinds,
    seed: 1,
    callsSeen: (caller, callee, cell) =>
      proxy.passed.filter(
        ({ spec, method }) =>
          method === 'POST' && spec.caller === caller && spec.callee === callee && spec.cell === cell,
      ).length,
  });
  expect(run.faults).toEqual([]);
  const cells = run.cells.filter(({ scenario }) => scenario === 'asked');
  expect(cells.map(({ id, outcome, standIn }) => [id, outcome, standIn])).toEqual([
    ['obliging>fake/JSONRPC/1.0/asked', 'ok', undefined],
    ['idle>fake/JSONRPC/1.0/asked', 'ok', 'plugfest'],
  ]);
  expect(cells[0]?.checks.map(({ name }) => name)).toContain('obliging calls fake');
}, 20_000);

describe('what an agent does not have', () => {
  test('is unsupported by its card, with the member', async () => {
    const run = await tryLab(one('good', 'scenarios: [stream, push-inline]'));
    expect(run.cells.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['unsupported', 'the card of fake does not declare capabilities.pushNotifications'],
      ['unsupported', 'the card of fake does not declare capabilities.streaming'],
    ]);
  });

  test('is unsupported where a stranger does not do what the canary told it', async () => {
    const run = await tryLab(one('deaf', 'scenarios: [get-task, send-blocking]'));
    expect(run.cell('plugfest>fake/JSONRPC/1.0/get-task').outcome).toBe('unsupported');
    expect(run.cell('plugfest>fake/JSONRPC/1.0/send-blocking').outcome).toBe('ok');
  });
});

describe('a run', () => {
  test('that is interrupted tells what was not run', async () => {
    const stop = new AbortController();
    const run = await tryLab(one('hangs', 'concurrency: 1\nscenarios: [send-blocking, get-task]'), {
      signal: stop.signal,
      onProgress: ({ kind }) => {
        if (kind === 'cell-started') setTimeout(() => stop.abort(new Error('SIGINT')), 50);
      },
    });
    expect(run.interrupted).toBe(true);
    expect(run.cells.map(({ outcome }) => outcome)).toEqual(['not-run', 'not-run']);
  });

  test('that is interrupted while its agents start has run nothing', async () => {
    const stop = new AbortController();
    const run = await tryLab(one('silent'), {
      signal: stop.signal,
      onProgress: ({ kind }) => {
        if (kind === 'agent-starting') setTimeout(() => stop.abort(new Error('SIGINT')), 100);
      },
    });
    expect(run).toMatchObject({ interrupted: true, cells: [] });
  });

  test('that takes up another runs only what that one did not finish', async () => {
    const text = one('good', 'scenarios: [discovery, send-blocking]');
    const first = await tryLab(text, { only: ['*discovery'] });
    const done = { ...first.cell('plugfest>fake/JSONRPC/1.0/discovery'), reason: 'of the first run' };
    const run = await tryLab(text, { finished: new Map([[done.id, done]]) });
    expect(run.cells.map(({ scenario, reason }) => [scenario, reason])).toEqual([
      ['discovery', 'of the first run'],
      ['send-blocking', undefined],
    ]);
    const begun = run.events.flatMap((event) => (event.kind === 'cell-started' ? [event.cell] : []));
    expect(begun).toEqual(['plugfest>fake/JSONRPC/1.0/send-blocking']);
    expect(run.notes).toContain('1 of 2 cells are taken from the run that was interrupted.');
  });

  test('whose agent does not start ends the others and throws', async () => {
    const text = 'name: x\nagents:\n  a: { command: fake(early-exit) }\n  b: { command: fake(good) }\n';
    await expect(tryLab(text)).rejects.toMatchObject({
      code: 'PLUGFEST_AGENT_START',
      message: expect.stringContaining('Agent a ended before it was ready (code 3)'),
    });
  });

  test('of nothing is an error', async () => {
    await expect(tryLab(one('good'), { only: ['nobody>*'] })).rejects.toMatchObject({
      code: 'PLUGFEST_USAGE',
    });
  });

  test('with one seed says the same things again', async () => {
    const messages = async () => {
      const run = await tryLab(one('good', 'scenarios: [errors-unknown-task]'));
      return run.cells.map(({ checks }) => checks);
    };
    expect(await messages()).toEqual(await messages());
  });
});
