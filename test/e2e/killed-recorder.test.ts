import { Agent, get } from 'node:http';
import { join } from 'node:path';
import type { Verdict } from '@plugfest/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { captureRows } from './capture-rows.ts';
import { LocalServer } from './local-server.ts';
import { type Ended, plugfest, startPlugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const connections = 16;

/** What is answered so long before a kill is stored: the recorder's 20 ms, and room for a busy machine. */
const storedAfterMs = 100;

interface Answer {
  readonly target: string;
  readonly atMs: number;
}

/** Keeps so many requests in flight until it is stopped, and remembers which were answered, and when. */
class Load {
  readonly answers: Answer[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: connections });
  readonly #lanes: Promise<void>[];
  #stopped = false;

  constructor(origin: string) {
    this.#lanes = Array.from({ length: connections }, (_, lane) => this.#run(origin, lane));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#lanes);
    this.#agent.destroy();
  }

  async #run(origin: string, lane: number): Promise<void> {
    for (let count = 0; !this.#stopped; count += 1) {
      const target = `/load/${lane}/${count}`;
      const answered = await ask(`${origin}${target}`, this.#agent);
      // The proxy has gone: that is what the test is about.
      if (!answered) return;
      this.answers.push({ target, atMs: performance.now() });
    }
  }
}

function ask(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent, timeout: 5000 }, (response) => {
      response.on('error', () => resolve(false));
      response.on('end', () => resolve(response.complete && response.statusCode === 200));
      response.resume();
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

interface EndedUnderLoad {
  readonly capture: string;
  readonly ended: Ended;
  readonly signalledMs: number;
  readonly answers: readonly Answer[];
}

/** Records some load and ends the recorder by a signal while requests are in flight. */
async function endUnderLoad(signal: 'SIGKILL' | 'SIGTERM'): Promise<EndedUnderLoad> {
  const capture = join(folder, `${signal}.sqlite`);
  await using upstream = await LocalServer.start((_request, response) => {
    setTimeout(() => response.end(JSON.stringify({ padding: 'x'.repeat(500) })), 25);
  });
  await using proxy = startPlugfest([
    'proxy',
    '--edge',
    `client=agent@${upstream.origin}`,
    '--capture',
    capture,
  ]);
  const [, origin = ''] = await proxy.shows(/client -> agent +(http:\S+)/);
  const load = new Load(origin);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const signalledMs = performance.now();
  proxy.signal(signal);
  const ended = await proxy.ended;
  await load.stop();
  return { capture, ended, signalledMs, answers: load.answers };
}

const storedTargets = (capture: string): ReadonlySet<string> =>
  new Set(
    captureRows<{ target: string }>(
      capture,
      `SELECT e.target FROM exchanges e JOIN ends n ON n.exchange = e.seq AND n.kind = 'complete'`,
    ).map(({ target }) => target),
  );

describe('a recorder that is killed under load', () => {
  let killed: EndedUnderLoad;
  beforeAll(async () => {
    killed = await endUnderLoad('SIGKILL');
  });

  it('leaves a capture with every answer but those of the last moment', () => {
    const { capture, ended, answers, signalledMs } = killed;
    expect(ended.signal).toBe('SIGKILL');
    const due = answers.filter(({ atMs }) => atMs < signalledMs - storedAfterMs);
    expect(due.length).toBeGreaterThan(200);
    const stored = storedTargets(capture);
    expect(due.filter(({ target }) => !stored.has(target))).toEqual([]);
  });

  it('leaves a capture that verifies and shows the gap, twice in the same bytes', async () => {
    const { capture } = killed;
    const [first, second] = await Promise.all([
      plugfest(['verify', capture, '--format', 'json']),
      plugfest(['verify', capture, '--format', 'json']),
    ]);
    expect(first.stderr).toBe('');
    expect([0, 1]).toContain(first.code);
    const verdict = JSON.parse(first.stdout) as Verdict;
    expect(verdict.capture.gaps).toBeGreaterThanOrEqual(1);
    expect(verdict.capture.exchanges).toBeGreaterThanOrEqual(storedTargets(capture).size);
    expect(second.stdout).toBe(first.stdout);
  });

  it('leaves a capture that can be continued, and the gap stays on record', async () => {
    const { capture } = killed;
    const before = storedTargets(capture).size;
    await using upstream = await LocalServer.start((_request, response) => response.end('{}'));
    {
      await using proxy = startPlugfest([
        ...['proxy', '--edge', `client=agent@${upstream.origin}`, '--capture', capture, '--append'],
      ]);
      const [, origin = ''] = await proxy.shows(/client -> agent +(http:\S+)/);
      expect((await fetch(`${origin}/after`)).status).toBe(200);
    }
    expect(storedTargets(capture).size).toBe(before + 1);
    const [gap] = captureRows<{ count: number }>(
      capture,
      "SELECT count(*) AS count FROM gaps WHERE reason = 'unclean-shutdown'",
    );
    expect(gap?.count).toBe(1);
  });
});

describe('a recorder that is asked to end under load', () => {
  it('ends with 0, has every answer and no gap', async () => {
    const { capture, ended, answers } = await endUnderLoad('SIGTERM');
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(answers.length).toBeGreaterThan(200);
    const stored = storedTargets(capture);
    expect(answers.filter(({ target }) => !stored.has(target))).toEqual([]);
    const { stdout } = await plugfest(['verify', capture, '--format', 'json']);
    expect((JSON.parse(stdout) as Verdict).capture.gaps).toBe(0);
    const open = captureRows(
      capture,
      'SELECT id FROM exchanges WHERE seq NOT IN (SELECT exchange FROM ends)',
    );
    expect(open).toEqual([]);
  });
});
