// Other tools that ours is compared with, installed on first use into the ignored folder .references/. They are no
// dependencies: who does not compare does not need them.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', '.references');
const installMs = 300_000;

const mockttpVersion = '4.6.1';
const toxiproxyVersion = '2.12.0';
/** Newer versions ask for newer versions of Python; pip finds the newest that fits. */
const mitmproxyVersions = 'mitmproxy>=11,<13';

/** Makes a folder once: what was left half made by an interrupted installation is not taken for whole. */
async function installed(name: string, install: (into: string) => Promise<void>): Promise<string> {
  const into = join(folder, name);
  if (existsSync(into)) return into;
  const unfinished = `${into}.unfinished-${process.pid}`;
  mkdirSync(dirname(unfinished), { recursive: true });
  process.stderr.write(`installing ${name} into .references …\n`);
  try {
    await install(unfinished);
    renameSync(unfinished, into);
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${name} cannot be installed here: ${first}`);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return into;
}

/** The `mitmdump` of mitmproxy, from PyPI. It is run as a module: scripts of a virtual environment hold its path. */
export async function mitmdump(): Promise<{ readonly command: string; readonly args: readonly string[] }> {
  const into = await installed('mitmproxy', async (path) => {
    await run('python3', ['-m', 'venv', path], { timeout: installMs });
    await run(join(path, 'bin', 'python'), ['-m', 'pip', 'install', '-q', mitmproxyVersions], {
      timeout: installMs,
    });
  });
  const start = 'import sys; from mitmproxy.tools.main import mitmdump; sys.exit(mitmdump())';
  return { command: join(into, 'bin', 'python'), args: ['-c', start] };
}

export async function mitmproxyVersion(): Promise<string> {
  const { command, args } = await mitmdump();
  const { stdout } = await run(command, [...args, '--version'], { timeout: 30_000 });
  return /Mitmproxy: *(\S+)/.exec(stdout)?.[1] ?? 'of an unknown version';
}

/** The folder of the mockttp package, from the npm registry. */
export async function mockttp(): Promise<string> {
  const into = await installed(`mockttp-${mockttpVersion}`, async (path) => {
    mkdirSync(path, { recursive: true });
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', path];
    await run('npm', ['install', ...options, `mockttp@${mockttpVersion}`], { timeout: installMs, cwd: path });
  });
  return join(into, 'node_modules', 'mockttp');
}

/** The server of Toxiproxy, built from its module in Go. */
export async function toxiproxy(): Promise<{ readonly command: string; readonly version: string }> {
  const into = await installed(`toxiproxy-${toxiproxyVersion}`, async (path) => {
    // Where Go's own installer puts it, in case that nobody said so.
    const env = { ...process.env, GOBIN: path, PATH: `${process.env.PATH ?? ''}:/usr/local/go/bin` };
    const module = `github.com/Shopify/toxiproxy/v2/cmd/server@v${toxiproxyVersion}`;
    await run('go', ['install', module], { timeout: installMs, env });
  });
  return { command: join(into, 'server'), version: toxiproxyVersion };
}

export const versionOf = (packageFolder: string): string =>
  String(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version);
