import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ToolchainsMissing } from '@plugfest/orchestrator';

/** Toolchains are asked for their versions. */
const limitMs = 20_000;

/** What an installer of lab agents says of toolchains; where there is no installer, it says nothing. */
export const toolchainsMissingBy =
  (installer: string): ToolchainsMissing =>
  async (names) => {
    const args = [installer, '--check', '--only', names.join(',')];
    const text = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { timeout: limitMs }, (_error, stdout) => resolve(stdout));
    });
    const reasons = [...text.matchAll(/^([\w-]+): missing toolchain — (.+)$/gm)];
    return new Map(reasons.map(([, name = '', reason = '']) => [name, reason]));
  };

/** The one of this repository. */
export const toolchainsMissing = toolchainsMissingBy(
  fileURLToPath(new URL('../../../tools/agents-install.mjs', import.meta.url)),
);
