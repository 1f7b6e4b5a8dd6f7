// How tools/agents-install.mjs installs this lab agent; the shape is described there.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { differences, jarsOf } from './lock.mjs';

const OLDEST_JDK = 17;
const POM = join(fileURLToPath(new URL('.', import.meta.url)), 'pom.xml');

export const name = 'java';

/** Whether the installed copy was built from these sources. Starts no process. */
export function isCurrent({ here, installDir }) {
  const stampFile = join(installDir, 'stamp.json');
  if (!existsSync(stampFile) || !existsSync(join(applicationIn(installDir), 'quarkus-run.jar'))) return false;
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).sources === sourcesHash(here);
  } catch {
    return false; // A damaged stamp is no stamp.
  }
}

/** Looks for a JDK, for Maven, and whether Maven can have the SDK at all. */
export async function toolchain({ run }) {
  const needs = `needs a JDK ${OLDEST_JDK} or newer and Maven 3.8 or newer`;
  const javac = await run('javac', ['-version'], { timeoutMs: 20_000 });
  if (javac.missing) return { ok: false, reason: `${needs} (no javac on PATH)` };
  const jdk = /javac (\d+)\S*/.exec(`${javac.stdout}${javac.stderr}`);
  if (jdk === null || Number(jdk[1]) < OLDEST_JDK)
    return { ok: false, reason: `${needs} (${jdk?.[0] ?? 'javac does not say its version'})` };
  const maven = await run('mvn', ['-B', '-v'], { timeoutMs: 20_000 });
  if (maven.missing) return { ok: false, reason: `${needs} (no mvn on PATH)` };
  const sdk = /<a2a\.version>([^<]+)</.exec(readFileSync(POM, 'utf8'))[1];
  const pom = `org.a2aproject.sdk:a2a-java-sdk-reference-bom:${sdk}:pom`;
  const got = await run('mvn', ['-B', '-q', 'dependency:get', '-Dtransitive=false', `-Dartifact=${pom}`], {
    timeoutMs: 120_000,
  });
  if (got.code !== 0) {
    const why = got.timedOut ? 'Maven did not answer in 120 s' : 'its Maven repository does not have it';
    const how = `docker/agent-java/README.md says how to build it from its tag v${sdk}`;
    return { ok: false, reason: `${pom} cannot be had here: ${why}; ${how}` };
  }
  return { ok: true, version: jdk[0] };
}

/** Builds the application and compares what it runs on with dependencies.lock. Returns a short description. */
export async function install({ here, installDir, toolchain: { version }, run }) {
  mkdirSync(installDir, { recursive: true });
  rmSync(join(installDir, 'stamp.json'), { force: true });
  const sources = sourcesHash(here);
  const build = join(installDir, 'build');
  rmSync(build, { recursive: true, force: true });
  const args = ['-B', '-q', '-f', join(here, 'pom.xml'), `-Dbuild.dir=${build}`, '-DskipTests', 'package'];
  const result = await run('mvn', args, { timeoutMs: 900_000 });
  if (result.code !== 0) {
    const how = result.timedOut ? 'took longer than 900 s' : `ended with code ${result.code}`;
    const lastLines = `${result.stdout}${result.stderr}`.trim().split('\n').slice(-15).join('\n');
    throw new Error(`mvn package ${how}\n${lastLines}`);
  }
  const built = join(build, 'quarkus-app');
  const wrong = differences(readFileSync(join(here, 'dependencies.lock'), 'utf8'), jarsOf(built));
  if (wrong.length > 0)
    throw new Error(`the dependencies are not those of dependencies.lock\n${wrong.join('\n')}`);
  rmSync(applicationIn(installDir), { recursive: true, force: true });
  renameSync(built, applicationIn(installDir));
  rmSync(build, { recursive: true, force: true });
  writeFileSync(join(installDir, 'stamp.json'), `${JSON.stringify({ sources, jdk: version })}\n`);
  return version;
}

function applicationIn(installDir) {
  return join(installDir, 'quarkus-app');
}

/** Of all that the application is made of: its sources, pom.xml and the lock. */
function sourcesHash(here) {
  const hash = createHash('sha256');
  const main = readdirSync(join(here, 'src', 'main'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of [...main, join(here, 'pom.xml'), join(here, 'dependencies.lock')].sort()) {
    hash
      .update(`${file.slice(here.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}
