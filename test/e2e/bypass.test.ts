import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labFile, stubCommand } from './lab-file.ts';
import { plugfest, startPlugfest } from './plugfest.ts';
import { readReport } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

async function runWith(sneaky: string, peerCard: string, out: string) {
  const lab = labFile(
    folder,
    `
name: bypass
scenarios: [send-blocking]
bindings: [JSONRPC]
agents:
  sneaky: ${sneaky}
  peer: { card: "${peerCard}", drive: true }
edges: [sneaky -> peer]
`,
  );
  return await plugfest(['run', lab, '--out', out]);
}

describe('an agent that calls its peer past the proxy', () => {
  it('is noticed, though every cell works, and the run fails', async () => {
    await using peer = startPlugfest(['agent', '--name', 'peer', '--protocol', '1.0']);
    const [card = ''] = await peer.shows(/^http:\S+$/m);
    const out = join(folder, 'bypassed');
    const sneaky = `{ command: ${stubCommand('bypassing')}, env: { PEER_CARD: "${card}" } }`;
    const { code, stdout } = await runWith(sneaky, card, out);
    const { cells, bypass, sentence } = readReport(out);
    expect(cells.map(({ outcome }) => outcome)).toEqual(['ok']);
    expect(sentence).toContain('bypassed the proxy at peer');
    // A task that nobody was seen creating is proof everywhere; sockets can be watched on Linux.
    expect(bypass.filter(({ agent }) => agent === 'peer').map(({ method }) => method)).toContain('task');
    if (process.platform === 'linux') expect(bypass.map(({ method }) => method)).toContain('socket');
    expect(code).toBe(1);
    for (const { detail } of bypass) expect(stdout).toContain(detail);
    expect(stdout).not.toMatch(/^Pass/m);
  });

  it('is not suspected where it keeps to the proxy', async () => {
    await using peer = startPlugfest(['agent', '--name', 'peer', '--protocol', '1.0']);
    const [card = ''] = await peer.shows(/^http:\S+$/m);
    const out = join(folder, 'honest');
    await runWith('{ kind: js, protocol: "1.0" }', card, out);
    const { cells, bypass, sentence } = readReport(out);
    expect(new Set(cells.map(({ outcome }) => outcome))).toEqual(new Set(['ok']));
    expect(bypass).toEqual([]);
    expect(sentence).not.toContain('bypass');
  });
});
