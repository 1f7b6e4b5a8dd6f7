// How tools/agents-install.mjs installs this lab agent; the shape is described there.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OLDEST = [1, 25];

export const name = 'go-03';

/** Whether the installed copy was built from these sources. Starts no process. */
export function isCurrent({ here, installDir }) {
  const stampFile = join(installDir, 'stamp.json');
  if (!existsSync(stampFile) || !existsSync(binaryIn(installDir))) return false;
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).sources === sourcesHash(here);
  } catch {
    return false; // A damaged stamp is no stamp.
  }
}

/** Looks for Go. */
export async function toolchain({ run }) {
  const needs = `needs Go ${OLDEST.join('.')} or newer`;
  const probe = await run('go', ['env', 'GOVERSION'], { timeoutMs: 10_000 });
  if (probe.missing) return { ok: false, reason: `${needs} (no go on PATH)` };
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(probe.stdout.trim()) ?? [];
  if (probe.code !== 0 || major === undefined)
    return { ok: false, reason: `${needs} (go does not say its version)` };
  if (Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]))
    return { ok: false, reason: `${needs} (go is ${probe.stdout.trim()})` };
  return { ok: true, version: probe.stdout.trim() };
}

/** Builds the binary; go.sum holds the hash of every module. Returns a short description. */
export async function install({ here, installDir, toolchain: { version }, run }) {
  mkdirSync(installDir, { recursive: true });
  rmSync(join(installDir, 'stamp.json'), { force: true });
  const sources = sourcesHash(here);
  const build = ['build', '-C', here, '-p', '2', '-mod=readonly', '-buildvcs=false', '-trimpath'];
  const result = await run('go', [...build, '-o', binaryIn(installDir), '.'], { timeoutMs: 600_000 });
  if (result.code !== 0) {
    const how = result.timedOut ? 'took longer than 600 s' : `ended with code ${result.code}`;
    const lastLines = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-15).join('\n');
    throw new Error(`go build ${how}\n${lastLines}`);
  }
  writeFileSync(join(installDir, 'stamp.json'), `${JSON.stringify({ sources, go: version })}\n`);
  return version;
}

function binaryIn(installDir) {
  return join(installDir, 'lab-agent');
}

/** Of all that the binary is made of: sources without tests, go.mod and go.sum. */
function sourcesHash(here) {
  const hash = createHash('sha256');
  const files = readdirSync(here, { recursive: true }).map((file) => file.split('\\').join('/'));
  for (const file of files.sort()) {
    if (file.endsWith('_test.go') || !/\.go$|^go\.(mod|sum)$/.test(file)) continue;
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(here, file)))
      .update('\0');
  }
  return hash.digest('hex');
}
