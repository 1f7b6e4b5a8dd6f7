// How tools/agents-install.mjs installs this lab agent; the shape is described there.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const OLDEST = [1, 85];
const BINARY = 'lab-agent';
const BUILD_LIMIT_MS = 1_800_000;

export const name = 'rust';

/** Whether the installed program is the one of this source and lock. Starts no process. */
export function isCurrent({ here, installDir }) {
  const stampFile = join(installDir, 'stamp.json');
  if (!existsSync(stampFile) || !existsSync(join(installDir, BINARY))) return false;
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).source === sourceHash(here);
  } catch {
    return false; // A damaged stamp is no stamp.
  }
}

/** Looks for Cargo, for a Rust that is new enough, and for the linker that it calls. */
export async function toolchain({ run }) {
  if (process.platform === 'win32') return { ok: false, reason: 'the agent runs on Linux and macOS only' };
  const cargo = await run('cargo', ['--version'], { timeoutMs: 30_000 });
  if (cargo.missing)
    return { ok: false, reason: `needs Cargo and Rust ${OLDEST.join('.')} or newer (no cargo on PATH)` };
  const rustc = await run('rustc', ['--version'], { timeoutMs: 30_000 });
  const [, major, minor] = rustc.stdout.match(/^rustc (\d+)\.(\d+)/) ?? [];
  if (cargo.code !== 0 || major === undefined) {
    const [line] = `${cargo.stderr}${rustc.stderr}`.trim().split('\n');
    return {
      ok: false,
      reason: `needs Rust ${OLDEST.join('.')} or newer (cargo or rustc does not answer: ${line})`,
    };
  }
  const version = `${major}.${minor}`;
  if (Number(major) !== OLDEST[0] || Number(minor) < OLDEST[1]) {
    return { ok: false, reason: `needs Rust ${OLDEST.join('.')} or newer (rustc is ${version})` };
  }
  const linker = await run('cc', ['--version'], { timeoutMs: 30_000 });
  if (linker.missing) return { ok: false, reason: 'needs a linker (no cc on PATH)' };
  return { ok: true, version };
}

/** Builds the locked dependencies and the agent; later builds reuse the target folder. Returns a short description. */
export async function install({ here, installDir, toolchain: { version }, run }) {
  mkdirSync(installDir, { recursive: true });
  rmSync(join(installDir, 'stamp.json'), { force: true });
  const source = sourceHash(here);
  const target = join(installDir, 'target');
  const manifest = join(here, 'Cargo.toml');
  const result = await run(
    'cargo',
    [
      ...['build', '--release', '--locked', '--quiet', '--jobs', '2'],
      ...['--manifest-path', manifest, '--target-dir', target],
    ],
    { timeoutMs: BUILD_LIMIT_MS },
  );
  if (result.code !== 0) {
    const how = result.timedOut
      ? `took longer than ${BUILD_LIMIT_MS / 60_000} min`
      : `ended with code ${result.code}`;
    const lastLines = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-15).join('\n');
    throw new Error(`cargo build ${how}\n${lastLines}`);
  }
  // Renamed into place, because a running program cannot be written over.
  copyFileSync(join(target, 'release', BINARY), join(installDir, `${BINARY}.new`));
  renameSync(join(installDir, `${BINARY}.new`), join(installDir, BINARY));
  writeFileSync(join(installDir, 'stamp.json'), `${JSON.stringify({ source, rust: version })}\n`);
  return `Rust ${version}`;
}

function sourceHash(here) {
  const hash = createHash('sha256');
  const sources = readdirSync(join(here, 'src')).sort();
  for (const file of ['Cargo.toml', 'Cargo.lock', ...sources.map((entry) => join('src', entry))]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(here, file)))
      .update('\0');
  }
  return hash.digest('hex');
}
