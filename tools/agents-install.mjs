// Installs the lab agents of other languages into the ignored folder .agents/<name>/.
//
// Every folder docker/agent-*/ with an install.mjs is one agent kind. Such a file exports
//   name                                                   the kind, also the folder below .agents/
//   isCurrent({here, installDir})                          true when nothing is to do; fast
//   toolchain({run})                                       {ok: true, …} or {ok: false, reason}
//   install({here, installDir, toolchain, run})            a short description; throws when it fails
// where `here` is the kind's folder and `run(command, args, {timeoutMs})` runs a process and resolves to
// {code, stdout, stderr, timedOut, missing}. To add a kind, add its folder.
//
// Plain JavaScript on Node 20 and newer: it runs before anything is built.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OUTPUT_LIMIT_CHARS = 1_000_000;

/**
 * Installs every kind whose toolchain is present, one after the other.
 * Resolves to one {name, state, detail} per kind; state is `installed`, `up to date`,
 * `missing toolchain` or `failed`. Logs one line per kind, and the cause below a failure.
 */
export async function install({ root, log }) {
  const results = [];
  for (const here of kindFolders(root)) {
    const result = await installKind(root, here);
    results.push(result);
    log([`${result.name}: ${result.state}`, result.detail].filter(Boolean).join(' — '));
  }
  if (results.length === 0) log(`no lab agents below ${join(root, 'docker')}`);
  return results;
}

function kindFolders(root) {
  const docker = join(root, 'docker');
  if (!existsSync(docker)) return [];
  return readdirSync(docker)
    .filter((entry) => entry.startsWith('agent-') && existsSync(join(docker, entry, 'install.mjs')))
    .sort()
    .map((entry) => join(docker, entry));
}

async function installKind(root, here) {
  let name = here.slice(here.lastIndexOf('agent-') + 'agent-'.length);
  try {
    const kind = await import(pathToFileURL(join(here, 'install.mjs')).href);
    name = kind.name;
    const installDir = join(root, '.agents', name);
    if (kind.isCurrent({ here, installDir })) return { name, state: 'up to date', detail: '' };
    const toolchain = await kind.toolchain({ run });
    if (!toolchain.ok) return { name, state: 'missing toolchain', detail: toolchain.reason };
    return { name, state: 'installed', detail: await kind.install({ here, installDir, toolchain, run }) };
  } catch (error) {
    return { name, state: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Runs a process to its end or to its time limit, without a shell. Never rejects. */
function run(command, args, { timeoutMs }) {
  return new Promise((resolve) => {
    // A group of its own, so that the time limit also ends what the process started.
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
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
    const onInterrupt = () => {
      endGroup(child);
      process.exit(130);
    };
    process.once('SIGINT', onInterrupt);
    const finish = (outcome) => {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt);
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

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const results = await install({ root, log: console.log });
  process.exitCode = results.some((result) => result.state === 'failed') ? 1 : 0;
}
