// Installs the lab agents of other languages into the ignored folder .agents/<name>/.
//
//   node tools/agents-install.mjs [--only NAME]… [--check] [--help]
//
// Every folder docker/agent-*/ with an install.mjs is one agent kind, and every docker/guest-*/ a server of somebody
// else's (name: guest-*). Such a file exports
//   name                                                   the kind, also the folder below .agents/
//   isCurrent({here, installDir})                          true when nothing is to do; fast
//   toolchain({run})                                       {ok: true, …} or {ok: false, reason}
//   install({here, installDir, toolchain, run})            a short description; throws when it fails
// where `here` is the kind's folder and `run(command, args, {timeoutMs})` runs a process and resolves to
// {code, stdout, stderr, timedOut, missing}. To add a kind, add its folder.
//
// Exit code: 1 where a kind whose toolchain is present could not be installed, 2 for a bad option, else 0.
//
// Plain JavaScript on Node 20 and newer: it runs before anything is built.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const OUTPUT_LIMIT_CHARS = 1_000_000;
/** Compilers use several cores each, so that more at once would only take more memory. */
const AT_ONCE = 2;

/** What was asked for and is not there; one line for a person. */
class UsageError extends Error {}

/** Process groups that run now, to be ended with us. */
const running = new Set();

/**
 * Installs every kind whose toolchain is present, or those of `only`, some at once. With `check` it only looks; what
 * could be installed is then `not installed`.
 * Resolves to one {name, state, detail, durationMs} per kind, in the order of names; state is `installed`,
 * `up to date`, `missing toolchain` or `failed`. Logs what begins and what came of it, each on a line, with the
 * cause below a failure.
 */
export async function install({ root, log, only = [], check = false }) {
  const kinds = chosenKinds(root, only);
  if (kinds.length === 0) log(`no lab agents below ${join(root, 'docker')}`);
  const results = [];
  const waiting = [...kinds.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, kind] = next;
      const result = await installKind(root, kind, log, check);
      results[index] = result;
      const words = [`${result.name}: ${result.state}${timeOf(result)}`, result.detail];
      log(words.filter(Boolean).join(' — '));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, availableParallelism()) }, worker));
  return results;
}

/** Where something was built, how long that took. */
function timeOf({ state, durationMs }) {
  return state === 'installed' || state === 'failed' ? ` in ${(durationMs / 1000).toFixed(1)} s` : '';
}

/** One sentence: how many there are, and which are not there. */
export function summary(results) {
  const names = (state) => results.filter((result) => result.state === state).map(({ name }) => name);
  const missing = names('missing toolchain');
  const failed = names('failed');
  const there = results.length - missing.length - failed.length;
  const rest = [
    missing.length > 0 && `without toolchain: ${missing.join(', ')}`,
    failed.length > 0 && `failed: ${failed.join(', ')}`,
  ].filter(Boolean);
  return [`${there} of ${results.length} lab agents can be used beside the bundled one`, ...rest].join('; ');
}

function chosenKinds(root, only) {
  const docker = join(root, 'docker');
  const all = (existsSync(docker) ? readdirSync(docker) : [])
    .filter((entry) => /^(?:agent|guest)-/.test(entry) && existsSync(join(docker, entry, 'install.mjs')))
    .sort()
    .map((entry) => ({ name: entry.replace(/^agent-/, ''), here: join(docker, entry) }));
  const unknown = only.find((name) => !all.some((kind) => kind.name === name));
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown}: not one of ${all.map((kind) => kind.name).join(', ')}`);
  return only.length === 0 ? all : all.filter((kind) => only.includes(kind.name));
}

async function installKind(root, { name, here }, log, check) {
  const begin = performance.now();
  const ended = (state, detail) => ({ name, state, detail, durationMs: performance.now() - begin });
  try {
    const kind = await import(pathToFileURL(join(here, 'install.mjs')).href);
    const installDir = join(root, '.agents', name);
    if (kind.isCurrent({ here, installDir })) return ended('up to date', '');
    const toolchain = await kind.toolchain({ run });
    if (!toolchain.ok) return ended('missing toolchain', toolchain.reason);
    if (check) return ended('not installed', '');
    log(`${name}: installing`);
    return ended('installed', await kind.install({ here, installDir, toolchain, run }));
  } catch (error) {
    return ended('failed', error instanceof Error ? error.message : String(error));
  }
}

/** Runs a process to its end or to its time limit, without a shell. Never rejects. */
function run(command, args, { timeoutMs }) {
  return new Promise((resolve) => {
    // A group of its own, so that the time limit also ends what the process started.
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    running.add(child);
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output[stream] = (output[stream] + text).slice(-OUTPUT_LIMIT_CHARS);
      });
    }
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, timeoutMs);
    const finish = (outcome) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ ...output, timedOut, missing: false, ...outcome });
    };
    child.on('error', (error) =>
      finish({ code: -1, stderr: error.message, missing: error.code === 'ENOENT' }),
    );
    child.on('close', (code) => finish({ code: code ?? -1 }));
  });
}

function endGroup(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

const usage = `Usage: npm run agents:install -- [--only NAME]… [--check]

Installs the lab agents of other languages, and servers of other frameworks (guest-*), into the folder .agents.
What is up to date stays; what has no toolchain here is named, with what it needs.

Options:
  --only NAME  only these; several by commas, or by the option again
  --check      only says what is there, what could be installed, and what lacks its toolchain
  --help       this text

Names: `;

function readOptions(args) {
  try {
    const { only, check, help } = parseArgs({
      args,
      options: {
        only: { type: 'string', multiple: true },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
    return {
      help,
      check,
      only: (only ?? []).flatMap((names) => names.split(',')).map((name) => name.trim()),
    };
  } catch (error) {
    throw new UsageError(`${error.message} (known: --only NAME, --check, --help)`);
  }
}

async function main() {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])
    process.once(signal, () => {
      for (const child of running) endGroup(child);
      process.exit(code);
    });
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  try {
    const { help, check, only } = readOptions(process.argv.slice(2));
    if (help) {
      const names = chosenKinds(root, []).map(({ name }) => name);
      console.log(usage + names.join(', '));
      return;
    }
    const results = await install({ root, log: console.log, only, check });
    if (results.length > 1 && !check) console.log(summary(results));
    process.exitCode = results.some((result) => result.state === 'failed') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`agents-install: ${error.message}`);
    process.exitCode = 2;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await main();
