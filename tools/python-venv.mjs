// How agents and guests in Python are installed: a virtual environment with what requirements.lock holds.
// tools/agents-install.mjs describes the shape of what comes back.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
// ensurepip is what a distribution without its venv package lacks.
const PROBE = 'import sys, venv, ensurepip; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3])';

/** The exports of an install.mjs; `oldest` is the oldest Python that will do. */
export function pythonVenv(name, { oldest = [3, 10] } = {}) {
  return { name, isCurrent, install, toolchain: ({ run }) => toolchain(run, oldest) };
}

/** Whether the installed copy matches the lock. Starts no process. */
function isCurrent({ here, installDir }) {
  const stampFile = join(installDir, 'stamp.json');
  if (!existsSync(stampFile) || !existsSync(pythonIn(installDir))) return false;
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).lock === lockHash(here);
  } catch {
    return false; // A damaged stamp is no stamp.
  }
}

/** Looks for a Python that can make a virtual environment. */
async function toolchain(run, oldest) {
  if (process.platform === 'win32') return { ok: false, reason: 'the agent runs on Linux and macOS only' };
  const refusals = [];
  for (const command of CANDIDATES) {
    const probe = await run(command, ['-c', PROBE], { timeoutMs: 10_000 });
    if (probe.missing) continue;
    if (probe.code !== 0) {
      refusals.push(`${command} ${probe.timedOut ? 'does not answer' : 'has no venv or ensurepip module'}`);
      continue;
    }
    const [executable, version] = probe.stdout.trim().split('\n');
    const [major, minor] = version.split('.').map(Number);
    if (major === oldest[0] && minor >= oldest[1]) return { ok: true, executable, version };
    refusals.push(`${command} is ${version}`);
  }
  const found = refusals.length > 0 ? refusals.join('; ') : 'no python3 on PATH';
  return { ok: false, reason: `needs Python ${oldest.join('.')} or newer with venv (${found})` };
}

/** Makes the virtual environment anew and installs the lock into it. Returns a short description. */
async function install({ here, installDir, toolchain: { executable, version }, run }) {
  mkdirSync(installDir, { recursive: true });
  rmSync(join(installDir, 'stamp.json'), { force: true });
  await expectSuccess(run, executable, ['-m', 'venv', '--clear', join(installDir, 'venv')], 300_000);
  await expectSuccess(
    run,
    pythonIn(installDir),
    [
      ...[
        '-m',
        'pip',
        'install',
        '--require-hashes',
        '--no-deps',
        '--disable-pip-version-check',
        '--no-input',
      ],
      ...['--quiet', '--requirement', join(here, 'requirements.lock')],
    ],
    600_000,
  );
  const stamp = { lock: lockHash(here), python: version };
  writeFileSync(join(installDir, 'stamp.json'), `${JSON.stringify(stamp)}\n`);
  return `Python ${version}`;
}

async function expectSuccess(run, command, args, timeoutMs) {
  const result = await run(command, args, { timeoutMs });
  if (result.code === 0) return;
  const how = result.timedOut ? `took longer than ${timeoutMs / 1000} s` : `ended with code ${result.code}`;
  const lastLines = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-15).join('\n');
  throw new Error(`${command} ${args.slice(0, 3).join(' ')} ${how}\n${lastLines}`);
}

function pythonIn(installDir) {
  return join(installDir, 'venv', 'bin', 'python');
}

function lockHash(here) {
  return createHash('sha256')
    .update(readFileSync(join(here, 'requirements.lock')))
    .digest('hex');
}
