import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '@plugfest/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureRows } from './capture-rows.ts';
import { LocalServer } from './local-server.ts';
import { errorLines, stackFrames } from './no-stack-trace.ts';
import { plugfest, startPlugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const disk = join(temporaryFolder(), 'disk');
let mounted = false;

beforeAll(() => {
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' });
    mounted = true;
  } catch {
    // Only who may mount has a small disk; capture's own tests limit a file instead.
  }
});
afterAll(() => {
  if (mounted) execFileSync('umount', [disk]);
});

describe('traffic through a recorder whose disk is full', () => {
  it('is answered as ever; the end says what is missing, and the capture has a gap', async (context) => {
    if (!mounted) return context.skip();
    const capture = join(disk, 'capture.sqlite');
    const padding = 'x'.repeat(15_000);
    await using upstream = await LocalServer.start((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ target: request.url, padding }));
    });
    const edge = ['--edge', `client=agent@${upstream.origin}`];
    const proxy = startPlugfest(['proxy', ...edge, '--capture', capture]);
    const [, origin = ''] = await proxy.shows(/client -> agent +(http:\S+)/);
    for (let i = 0; i < 200; i += 1) {
      const response = await fetch(`${origin}/${i}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ target: `/${i}`, padding });
    }
    proxy.signal('SIGTERM');
    const { code, stderr } = await proxy.ended;
    expect(code).toBe(3);
    expect(errorLines(stderr)).toEqual([
      expect.stringMatching(/capture\.sqlite: .* could not be written .*\(PLUGFEST_CAPTURE_WRITE\)$/),
    ]);
    expect(stackFrames(stderr)).toEqual([]);

    const [stored] = captureRows<{ count: number }>(capture, 'SELECT count(*) AS count FROM exchanges');
    expect(stored?.count).toBeGreaterThan(10);
    const verified = await plugfest(['verify', capture, '--format', 'json']);
    expect((JSON.parse(verified.stdout) as Verdict).capture.gaps).toBeGreaterThan(0);
  });
});
