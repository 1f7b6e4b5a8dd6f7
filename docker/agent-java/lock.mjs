// dependencies.lock: every jar that the agent runs on, with its checksum. Maven pins versions only through the
// BOMs that pom.xml imports, and checks no content against anything that is committed here.
// `node lock.mjs DIR` prints the lock of the built application in DIR.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Jars of the SDK itself: whether they come from a Maven repository or from a build of its tag, only the version is pinned. */
const SDK = /^org\.a2aproject\.sdk\./;
const UNCHECKED = '-';

/** The jars below `quarkus-app/lib`, by name: their SHA-256, or `-` for those of the SDK. */
export function jarsOf(applicationDir) {
  const jars = new Map();
  for (const folder of ['boot', 'main']) {
    const lib = join(applicationDir, 'lib', folder);
    for (const file of readdirSync(lib).filter((name) => name.endsWith('.jar'))) {
      const sum = createHash('sha256').update(readFileSync(join(lib, file)));
      jars.set(file, SDK.test(file) ? UNCHECKED : sum.digest('hex'));
    }
  }
  return new Map([...jars].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function formatLock(jars) {
  return [...jars].map(([file, sum]) => `${file} ${sum}\n`).join('');
}

/** One line for each jar that is missing, additional or has other content; empty where all is as locked. */
export function differences(lockText, jars) {
  const locked = new Map(
    lockText
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ')),
  );
  const missing = [...locked.keys()].filter((file) => !jars.has(file)).map((file) => `missing: ${file}`);
  const other = [...jars].flatMap(([file, sum]) => {
    if (!locked.has(file)) return [`not in the lock: ${file}`];
    return locked.get(file) === sum ? [] : [`other content than locked: ${file}`];
  });
  return [...missing, ...other];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.length !== 3) {
    console.error(
      'usage: node lock.mjs DIR   (DIR holds lib/boot and lib/main, e.g. .agents/java/quarkus-app)',
    );
    process.exit(2);
  }
  process.stdout.write(formatLock(jarsOf(process.argv[2])));
}
