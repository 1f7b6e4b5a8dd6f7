import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ToolchainsMissing } from '@plugfest/orchestrator';

const installer = fileURLToPath(new URL('../../../tools/agents-install.mjs', import.meta.url));
/** Toolchains are asked for their versions. */
const limitMs = 20_000;

/** What the installer of the lab agents says of toolchains; where there is no installer, it says nothing. */
export const toolchainsMissing: ToolchainsMissing = async (names) => {
  const text = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [installer, '--check', '--only', names.join(',')],
      { timeout: limitMs },
      (_error, stdout) => resolve(stdout),
    );
  });
  const reasons = [...text.matchAll(/^([\w-]+): missing toolchain — (.+)$/gm)];
  return new Map(reasons.map(([, name = '', reason = '']) => [name, reason]));
};
