// Tries lab agents of other languages: installs each where its toolchain is present, holds it to the contract
// (test/lab-agents), and runs a small lab over its bindings.
//
//   node tools/agents-test.mjs [--only NAME]… [--within SECONDS] [--help]
//
// What could not be tried is said, with the reason, on a line that begins with `!!!`; that is no success of it.
//
// Exit code: 1 where one that could be had fails, 2 for a bad option, else 0.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install } from './agents-install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Each kind of traffic once. */
const SCENARIOS =
  '{discovery,send-blocking,stream,input-required,cancel,push-inline,delegation,delegation-streaming,concurrent}';

/** Those that the contract is for: the agents of the business trip play roles of their own. */
const kinds = readdirSync(join(root, 'docker'))
  .filter(
    (folder) => /^agent-(?!travel-)/.test(folder) && existsSync(join(root, 'docker', folder, 'install.mjs')),
  )
  .map((folder) => folder.slice('agent-'.length))
  .sort();

const usage = `Usage: npm run agents:test -- [--only NAME]… [--within SECONDS]

Installs lab agents of other languages where it can, holds each to the contract of docs/lab-agents.md, and runs a
small lab over its bindings. What could not be tried is said, with the reason, on a line that begins with !!!

Options:
  --only NAME       only these; several by commas, or by the option again
  --within SECONDS  the longest that installing one may take; default 1800
  --help            this text

Names: ${kinds.join(', ')}`;

class UsageError extends Error {}

function readOptions(args) {
  let values;
  try {
    values = parseArgs({
      args,
      options: {
        only: { type: 'string', multiple: true },
        within: { type: 'string', default: '1800' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error.message} (known: --only NAME, --within SECONDS, --help)`);
  }
  const only = (values.only ?? kinds).flatMap((names) => names.split(',')).map((name) => name.trim());
  const unknown = only.find((name) => !kinds.includes(name));
  if (unknown !== undefined) throw new UsageError(`--only ${unknown}: not one of ${kinds.join(', ')}`);
  const withinMs = Number(values.within) * 1000;
  if (!(withinMs > 0 && Number.isFinite(withinMs)))
    throw new UsageError(`--within ${values.within}: not a number of seconds`);
  return { help: values.help, only, withinMs };
}

/** Runs a file of ours to its end; with a time limit, after which it is asked to end. */
function run(args, { timeoutMs = 0, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
      timeout: timeoutMs,
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

/** Why a kind cannot be tried here; undefined where it can. A build that fails is told by `failed`. */
async function obstacle(name, withinMs) {
  const code = await run([join('tools', 'agents-install.mjs'), '--only', name], { timeoutMs: withinMs });
  if (code === 1) return { failed: true, reason: 'it could not be installed' };
  const [{ state, detail }] = await install({ root, log: () => {}, only: [name], check: true });
  if (state === 'up to date') return undefined;
  return { failed: false, reason: detail || `it was not installed within ${withinMs / 1000} s` };
}

/** Runs the lab of a kind, as far as it holds the kinds of traffic; the exit code. */
async function lab(name) {
  const out = mkdtempSync(join(tmpdir(), 'plugfest-agents-test-'));
  try {
    const cells = ['--only', `*/{1.0,0.3}/${SCENARIOS}`];
    const file = join('labs', `${name}.yaml`);
    return await run([join('packages', 'cli', 'bin', 'plugfest.mjs'), 'run', file, ...cells, '--out', out]);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

async function main() {
  const { help, only, withinMs } = readOptions(process.argv.slice(2));
  if (help) return console.log(usage);
  const failed = [];
  const leftOut = [];
  for (const name of only) {
    const why = await obstacle(name, withinMs);
    if (why !== undefined) {
      console.log(`!!! ${name}: not tried, as ${why.reason}`);
      (why.failed ? failed : leftOut).push(name);
      continue;
    }
    const vitest = join('node_modules', 'vitest', 'vitest.mjs');
    const contract = await run([vitest, 'run', 'test/lab-agents'], { env: { LAB_AGENTS: name } });
    const cells = await lab(name);
    console.log(`--- ${name}: contract ${word(contract)}, lab ${word(cells)}`);
    if (contract !== 0 || cells !== 0) failed.push(name);
  }
  const tried = only.filter((name) => !leftOut.includes(name) && !failed.includes(name));
  const list = (names) => names.join(', ') || 'none';
  console.log(`lab agents: fine: ${list(tried)}; failed: ${list(failed)}; not tried: ${list(leftOut)}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

const word = (code) => (code === 0 ? 'kept' : 'FAILED');

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`agents-test: ${error.message}`);
  process.exitCode = 2;
}
