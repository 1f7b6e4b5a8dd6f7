// How lab agents in JavaScript are installed: a copy, with what package-lock.json holds.
// tools/agents-install.mjs describes the shape of what comes back.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** What an agent is made of, tests where it has any; it is copied, since its packages are other ones than the repository's. */
const MADE_OF = ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'tests'];

/** The exports of an install.mjs. */
export function npmCopy(name) {
  return { name, isCurrent, toolchain, install };
}

/** Whether the installed copy matches sources and lock. Starts no process. */
function isCurrent({ here, installDir }) {
  const stampFile = join(installDir, 'stamp.json');
  if (!existsSync(stampFile) || !existsSync(join(installDir, 'node_modules', '@a2a-js', 'sdk'))) return false;
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).sources === sourcesHash(here);
  } catch {
    return false; // A damaged stamp is no stamp.
  }
}

/** Looks for npm; the agent runs on the Node.js that Plugfest runs on. */
async function toolchain({ run }) {
  const probe = await run('npm', ['--version'], { timeoutMs: 20_000 });
  if (probe.missing) return { ok: false, reason: 'needs npm (there is none on PATH)' };
  if (probe.code !== 0) return { ok: false, reason: 'npm does not answer' };
  return { ok: true, version: probe.stdout.trim() };
}

/** Copies the agent and installs its lock. Returns a short description. */
async function install({ here, installDir, run }) {
  mkdirSync(installDir, { recursive: true });
  for (const part of ['stamp.json', ...MADE_OF])
    rmSync(join(installDir, part), { force: true, recursive: true });
  for (const part of MADE_OF.filter((one) => existsSync(join(here, one))))
    cpSync(join(here, part), join(installDir, part), { recursive: true });
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
  const result = await run('npm', ['ci', '--prefix', installDir, ...flags], { timeoutMs: 300_000 });
  if (result.code !== 0) {
    const how = result.timedOut ? 'took longer than 300 s' : `ended with code ${result.code}`;
    const lastLines = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-15).join('\n');
    throw new Error(`npm ci ${how}\n${lastLines}`);
  }
  const sdk = JSON.parse(
    readFileSync(join(installDir, 'node_modules', '@a2a-js', 'sdk', 'package.json'), 'utf8'),
  );
  writeFileSync(join(installDir, 'stamp.json'), `${JSON.stringify({ sources: sourcesHash(here) })}\n`);
  return `@a2a-js/sdk ${sdk.version}`;
}

function sourcesHash(here) {
  const files = readdirSync(here, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(here, join(entry.parentPath, entry.name)))
    .filter((file) => MADE_OF.includes(file.split(sep)[0]));
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(here, file)))
      .update('\0');
  return hash.digest('hex');
}
