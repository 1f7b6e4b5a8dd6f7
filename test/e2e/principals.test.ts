import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { labFile } from './lab-file.ts';
import { type Ended, plugfest } from './plugfest.ts';
import { readReport } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const out = join(folder, 'out');
const lab = labFile(
  folder,
  `
name: principals
seed: 2
concurrency: 2
scenarios: [discovery, send-blocking]
bindings: [JSONRPC, GRPC]
versions: ["1.0"]
agents:
  amber: { kind: js, protocol: "1.0", auth: bearer, extendedCard: true }
  birch: { kind: js, protocol: "1.0" }
`,
);

let ended: Ended;
beforeAll(async () => {
  ended = await plugfest(['run', lab, '--out', out]);
}, 60_000);

describe('a lab with an agent that wants bearer tokens', () => {
  it("calls it on a principal's behalf, by Plugfest's client and by an agent's", () => {
    expect(ended.code).not.toBe(3);
    const { cells } = readReport(out);
    const towards = cells.filter(({ server }) => server === 'amber');
    expect(new Set(towards.map(({ client }) => client))).toEqual(new Set(['plugfest', 'birch']));
    expect(towards.filter(({ outcome }) => outcome !== 'ok').map(({ id, reason }) => [id, reason])).toEqual(
      [],
    );
  });

  it('keeps no token in any of its files', () => {
    for (const name of readdirSync(out)) {
      const text = readFileSync(join(out, name), 'latin1');
      // 24 bytes in base64url, behind the scheme that carries them.
      expect(text.match(/Bearer [A-Za-z0-9_-]{32}/g), name).toBeNull();
    }
    // The calls did carry something: a mark stands in its place.
    const sent = readReport(out)
      .exchanges.map(({ request }) => request.head)
      .join('\n');
    expect(sent).toMatch(/authorization: Bearer .{0,4}hmac:/i);
  });
});

it('an agent that does not start and tells its tokens has them nowhere on the terminal', async () => {
  const told = join(folder, 'told');
  const stub = join(import.meta.dirname, 'stubs', 'tells-its-tokens.mjs');
  const env = JSON.stringify({ NODE_OPTIONS: `--import ${stub}`, TOLD_IN: told });
  const telling = labFile(
    folder,
    `name: telling\nagents:\n  amber: { kind: js, protocol: "1.0", auth: bearer, env: ${env} }\n`,
  );
  const { code, stdout, stderr } = await plugfest(['run', telling, '--out', join(folder, 'telling')]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/amber \| starting with alice=.{0,4}hmac:/);
  const tokens = readFileSync(told, 'utf8').split(',');
  expect(tokens).toHaveLength(2);
  for (const token of tokens) expect(stdout + stderr).not.toContain(token.split('=')[1]);
});
