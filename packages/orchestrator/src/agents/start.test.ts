import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

async function failure(text: string, startMs = 5000) {
  try {
    const started = await startAgent(agent(text), { resolveKind: realKinds, startMs, signal });
    await started.stop();
  } catch (error) {
    if (isPlugfestError(error)) return error;
    throw error;
  }
  throw new Error('the agent started');
}

describe('an agent process', () => {
  test('is ready when its ready line comes, and is gone after stop', async () => {
    const started = await startAgent(agent('{ command: fake(good) }'), {
      resolveKind: realKinds,
      startMs: 5000,
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
      const started = startChild({ command, env: {} }, (line) => line.startsWith('{') && console.log(started.pid));`;
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', script]);
    const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
    const pid = Number(line);
    expect(alive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => alive(pid), { timeout: 5000 }).toBe(false);
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

  test('whose program is not there is told so', async () => {
    const error = await failure('{ command: [no-such-program-here] }');
    expect(error.message).toContain('no program "no-such-program-here"');
  });

  test('of a kind that is not there names the kinds that are', async () => {
    const error = await failure('{ kind: cobol, protocol: "1.0" }');
    expect(error.code).toBe('PLUGFEST_AGENT_NOT_INSTALLED');
    expect(error.hint).toContain('js');
  });

  test('that has been told a flag it does not know says which', async () => {
    const error = await failure('{ kind: js, protocol: "1.0", fault: no-such-fault }');
    expect(error.message).toContain('no-such-fault');
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
