import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { isPlugfestError } from '@plugfest/model';
import { describe, expect, test } from 'vitest';
import type { LabAgent } from '../lab/lab.ts';
import { lab, realKinds } from '../testing/labs.ts';
import { startAgent } from './start.ts';

const signal = new AbortController().signal;

function agent(text: string): LabAgent {
  const [one] = lab(`name: x\nagents:\n  fake: ${text}\n`).agents;
  if (!one) throw new Error('no agent');
  return one;
}

const tokens = new Map();

async function failure(text: string, startMs = 5000) {
  try {
    const started = await startAgent(agent(text), { resolveKind: realKinds, startMs, tokens, signal });
    await started.stop();
  } catch (error) {
    if (isPlugfestError(error)) return error;
    throw error;
  }
  throw new Error('the agent started');
}

describe('an agent process', () => {
  test('of a kind is started again at its addresses, and that is no end', async () => {
    const started = await startAgent(agent('{ kind: js, protocol: "1.0", bindings: [JSONRPC, GRPC] }'), {
      resolveKind: realKinds,
      startMs: 10_000,
      tokens,
      signal,
    });
    let ended = false;
    void started.exited().then(() => {
      ended = true;
    });
    const { pid, origins } = started;
    await started.restart?.();
    expect(started.starts).toBe(2);
    expect(started.pid).not.toBe(pid);
    expect(ended).toBe(false);
    expect(origins).toHaveLength(1);
    const card = await (await fetch(started.origin + started.cardPath)).json();
    expect(JSON.stringify(card)).toContain(new URL(origins[0] ?? '').host);
    await started.stop();
    expect(started.exit()).toMatchObject({ how: expect.any(String) });
  });

  test('is ready when its ready line comes, and is gone after stop', async () => {
    const started = await startAgent(agent('{ command: fake(good) }'), {
      resolveKind: realKinds,
      startMs: 5000,
      tokens,
      signal,
    });
    expect(started.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(started.cardPath).toBe('/.well-known/agent-card.json');
    expect(started.basePath).toBe('');
    expect((await fetch(started.origin + started.cardPath)).status).toBe(200);
    await started.stop();
    expect(started.exit()?.how).toMatch(/SIGTERM|code 0/);
    await expect(fetch(started.origin)).rejects.toThrow();
  });

  test('does not outlive us, however we end', async () => {
    const child = new URL('./child.ts', import.meta.url).href;
    const fake = new URL('../testing/fake-agent.ts', import.meta.url).pathname;
    const script = `import { startChild } from ${JSON.stringify(child)};
      const command = [process.execPath, ${JSON.stringify(fake)}, 'good'];
      const started = startChild({ command, env: {} }, (line) => line.startsWith('{') && console.log(started.pid) === 0);`;
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', script]);
    const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
    const pid = Number(line);
    expect(alive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => alive(pid), { timeout: 5000 }).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'that ignores SIGTERM and leaves others in sessions of their own keeps nothing running',
    async () => {
      const child = new URL('./child.ts', import.meta.url).href;
      const shell = 'trap "" TERM; setsid sleep 60 & echo $!; sleep 61';
      const script = `import { startChild } from ${JSON.stringify(child)};
      const started = startChild({ command: ['sh', '-c', ${JSON.stringify(shell)}], env: {} }, (line) => {
        started.stop().then(() => console.log(line, started.exit().leftBehind));
        return true;
      });`;
      const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', script]);
      const ended = once(parent, 'exit');
      const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
      const [pid = 0, leftBehind] = String(line).split(' ').map(Number);
      expect(leftBehind).toBe(1);
      // Of one that nobody has waited for yet, nothing is left but its entry.
      // It ends a moment after it was told to.
      await expect
        .poll(() => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''), { timeout: 3000 })
        .toBe('');
      expect(await ended).toEqual([0, null]);
    },
    10_000,
  );

  test('that floods its stdout neither stalls us nor is waited for longer than it may', async () => {
    const error = await failure('{ command: [yes] }', 1000);
    expect(error.message).toBe(
      'Agent fake printed no ready line within 1000 ms; the last line on its stdout: y',
    );
  });

  test('that ends early is told with its last words, which cannot play with the terminal', async () => {
    const error = await failure('{ command: fake(early-exit) }');
    expect(error.code).toBe('PLUGFEST_AGENT_START');
    expect(error.message).toBe(
      'Agent fake ended before it was ready (code 3)\n  fake | first line\n  fake | no database at all',
    );
    expect(error.hint).toBeTruthy();
  });

  test('that is never ready is told after its time, and ended', async () => {
    const error = await failure('{ command: fake(silent) }', 400);
    expect(error.code).toBe('PLUGFEST_AGENT_START');
    expect(error.message).toBe(
      'Agent fake printed no ready line within 400 ms; the last line on its stdout: starting up',
    );
  });

  test('whose ready line leads to no address on the web is not ready', async () => {
    const line = '{"ready":true,"card":"file:///etc/passwd"}';
    const error = await failure(JSON.stringify({ command: ['sh', '-c', `echo '${line}'; sleep 60`] }), 400);
    expect(error.message).toContain(`no ready line within 400 ms; the last line on its stdout: ${line}`);
  });

  test('whose program is not there is told so', async () => {
    const error = await failure('{ command: [no-such-program-here] }');
    expect(error.message).toContain('no program "no-such-program-here"');
  });

  test.each([
    ['whose working directory is a file', `cwd: ${JSON.stringify(process.execPath)}`, 'is no folder'],
    ['with too long an argument', `env: { A: "${'x'.repeat(300_000)}" }`, 'are too long'],
    ['that is not there but has a card elsewhere', 'card: "http://127.0.0.1:9/"', 'no program'],
  ])('%s is told so', async (_what, more, why) => {
    const program = more.startsWith('card') ? 'no-such-program-here' : process.execPath;
    const error = await failure(`{ command: ${JSON.stringify([program])}, ${more} }`);
    expect(error.code).toBe('PLUGFEST_AGENT_START');
    expect(error.message).toMatch(/^Agent fake could not be started: /);
    expect(error.message).toContain(why);
  });

  test('of a kind that is not there names the kinds that are', async () => {
    const error = await failure('{ kind: cobol, protocol: "1.0" }');
    expect(error.code).toBe('PLUGFEST_LAB_INVALID');
    expect(error.hint).toContain('js');
  });

  test('that has been told a flag it does not know says which', async () => {
    const error = await failure('{ kind: js, protocol: "1.0", fault: no-such-fault }');
    expect(error.message).toContain('no-such-fault');
  });

  test('is given the further arguments of the lab', async () => {
    const error = await failure('{ kind: js, protocol: "1.0", args: [--role, no-such-role] }');
    expect(error.message).toContain("Unknown option '--role'");
  });
});

test.each([
  ['http://h.example/', '/.well-known/agent-card.json', ''],
  ['http://h.example/agents/x/', '/agents/x/.well-known/agent-card.json', '/agents/x'],
  [
    'http://h.example/agents/x/.well-known/agent-card.json',
    '/agents/x/.well-known/agent-card.json',
    '/agents/x',
  ],
  ['http://h.example/cards/x.json?v=2', '/cards/x.json?v=2', '/cards'],
])('the card URL %s is fetched at %s', async (card, cardPath, basePath) => {
  const started = await startAgent(agent(`{ card: "${card}" }`), {
    resolveKind: realKinds,
    startMs: 1,
    tokens,
    signal,
  });
  expect(started).toMatchObject({ origin: 'http://h.example', cardPath, basePath });
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
