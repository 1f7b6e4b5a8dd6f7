import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/*
 * Runs the checks of test/mutation/checks.ts against mutants, in Stryker's own worker process: everything is loaded
 * once, and a mutant is a global that is set. A test runner would load the whole rulebook again for each.
 */

/** Where the instrumented code keeps what it shares with the runner. */
const shared = () => {
  globalThis.__stryker__ ??= {};
  return globalThis.__stryker__;
};

/** In the copy that holds the mutants, `node_modules` leads to the real packages; these lead to the copy's. */
function resolveInCopy(root) {
  const require = createRequire(join(root, 'package.json'));
  registerHooks({
    resolve(specifier, context, next) {
      // Unit tests are run by the checks, not by vitest.
      if (specifier === 'vitest')
        return next(pathToFileURL(join(root, 'test/mutation/vitest-in-process.ts')).href, context);
      const own = /^@plugfest\/([\w-]+)(\/.+)?$/.exec(specifier);
      if (own === null) return next(specifier, context);
      const [, name, path = ''] = own;
      const { exports } = require(`./packages/${name}/package.json`);
      const url = pathToFileURL(join(root, 'packages', name, exports[`.${path}`])).href;
      return { url, format: 'module-typescript', shortCircuit: true };
    },
  });
}

class CheckRunner {
  #checks = [];

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    const root = process.cwd();
    resolveInCopy(root);
    const { checksFor } = await import(pathToFileURL(join(root, 'test/mutation/checks.ts')).href);
    const target = process.env.PLUGFEST_MUTATION_TARGET ?? '';
    const ns = shared();
    // By a test that Stryker never hears of: what runs here is neither static nor covered. Rules, though, are only
    // loaded here; the packages below them have been by now.
    if (!target.startsWith('rules/')) ns.currentTestId = 'preparation';
    this.#checks = await checksFor(target);
    ns.currentTestId = 'preparation';
    for (const { prepare } of this.#checks) prepare?.();
    ns.currentTestId = undefined;
    delete ns.mutantCoverage?.perTest.preparation;
  }

  async dryRun() {
    const ns = shared();
    ns.activeMutant = undefined;
    const tests = [];
    const spentMs = new Map();
    for (const { name, holds } of this.#checks) {
      ns.currentTestId = name;
      const start = performance.now();
      const failureMessage = await problemOf(holds);
      ns.currentTestId = undefined;
      const common = { id: name, name, timeSpentMs: performance.now() - start };
      spentMs.set(name, common.timeSpentMs);
      // 0: success, 1: failed.
      tests.push(
        failureMessage === undefined ? { ...common, status: 0 } : { ...common, status: 1, failureMessage },
      );
    }
    // The quickest first: most mutants are noticed by one of those.
    this.#checks = this.#checks.toSorted((a, b) => spentMs.get(a.name) - spentMs.get(b.name));
    return { status: 'complete', tests, mutantCoverage: ns.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const ns = shared();
    ns.activeMutant = activeMutant.id;
    // Stryker allows a hundred times what all checks needed before there were mutants, which takes too long to reach.
    ns.hitLimit = hitLimit === undefined ? undefined : hitLimit / 20;
    ns.hitCount = hitLimit === undefined ? undefined : 0;
    let nrOfTests = 0;
    try {
      for (const { name, isFor, holds } of this.#checks) {
        if (testFilter !== undefined && !testFilter.includes(name)) continue;
        if (isFor?.(activeMutant.fileName) === false) continue;
        nrOfTests += 1;
        const problem = await problemOf(holds);
        if (ns.hitCount > ns.hitLimit) return { status: 'timeout', reason: 'runs without end' };
        if (problem !== undefined)
          return { status: 'killed', killedBy: [name], failureMessage: problem, nrOfTests };
      }
      return { status: 'survived', nrOfTests };
    } finally {
      ns.activeMutant = undefined;
    }
  }
}

async function problemOf(holds) {
  try {
    return (await holds()) ? undefined : 'is not as on record';
  } catch (error) {
    return String(error);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'plugfest', CheckRunner)];
