// Runs a job of this repository on the repository's own Node.js, installing first what is missing.
// Plain JavaScript: it is what a newcomer's own, possibly older, Node.js starts right after `git clone`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './installation.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const ownNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const jobs = {
  plugfest: (args) => [[join('packages', 'cli', 'bin', 'plugfest.mjs'), ...args]],
  test: (args) => [[join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...args]],
  'test-browser': (args) => [
    [
      ...[join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', join('packages', 'report')],
      ...['--config', 'vitest.browser.config.ts', ...args],
    ],
  ],
  check: () => [
    [join('node_modules', 'typescript', 'bin', 'tsc'), '-b'],
    [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'],
    [join('node_modules', 'knip', 'bin', 'knip.js')],
  ],
  bench: (args) => [[join('test', 'bench', 'main.ts'), ...args]],
  forwarders: (args) => [[join('test', 'forwarder', 'main.ts'), ...args]],
  fuzz: (args) => [[join('test', 'fuzz', 'main.ts'), ...args]],
  compose: (args) => [[join('test', 'compose', 'main.ts'), ...args]],
  soak: (args) => [[join('test', 'soak', 'main.ts'), ...args]],
  killmatrix: (args) => [[join('test', 'killmatrix', 'main.ts'), ...args]],
  mutation: (args) => [[join('tools', 'mutation.ts'), ...args]],
  findings: (args) => [[join('test', 'mutation', 'record.ts'), ...args]],
  docs: (args) => [[join('tools', 'generate-docs.ts'), ...args]],
  protocols: (args) => [[join('tools', 'generate-protocols.mjs'), ...args]],
  'agents-test': (args) => [[join('tools', 'agents-test.mjs'), ...args]],
  'agents-install': (args) => [[join('tools', 'agents-install.mjs'), ...args]],
};

function install() {
  process.stderr.write('plugfest: installing dependencies (npm ci) …\n');
  const npm = process.env.npm_execpath;
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const result = spawnSync(command, [...prefix, 'ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (result.status !== 0) {
    process.stderr.write('plugfest: `npm ci` failed; see above. Needs access to the npm registry.\n');
    process.exit(3);
  }
}

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(ownNode, args, {
      cwd: process.env.INIT_CWD && args[0]?.includes('plugfest.mjs') ? process.env.INIT_CWD : root,
      stdio: 'inherit',
      env: {
        ...process.env,
        // Where this process is killed, the job has to notice.
        PLUGFEST_OUTER: String(process.pid),
        PATH: join(modules, '.bin') + delimiter + (process.env.PATH ?? ''),
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'plugfest'),
      },
    });
    // The terminal signals the whole group; the job decides when to end.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
    child.on('error', (error) => {
      process.stderr.write(`plugfest: cannot start Node.js: ${error.message}\n`);
      resolve(3);
    });
  });
}

const [job = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(jobs, job)) {
  process.stderr.write(`plugfest: unknown job "${job}"; one of ${Object.keys(jobs).join(', ')}\n`);
  process.exit(2);
}
// The installation's own script brings that Node.js.
if (!existsSync(ownNode) || !isInstalled(root)) install();
for (const step of jobs[job](args)) {
  const code = await run([step[0].startsWith('/') ? step[0] : join(root, step[0]), ...step.slice(1)]);
  if (code !== 0) process.exit(code);
}
