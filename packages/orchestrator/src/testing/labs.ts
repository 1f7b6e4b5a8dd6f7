import { fileURLToPath } from 'node:url';
import { kindsIn, type ResolveKind } from '../agents/kinds.ts';
import type { Lab } from '../lab/lab.ts';
import { parseLab } from '../lab/parse.ts';

const fakeAgent = fileURLToPath(new URL('./fake-agent.ts', import.meta.url));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A lab of YAML text, with the fake agent as `fake MODE` in a command. */
export function lab(text: string): Lab {
  return parseLab(
    text.replaceAll(/fake\(([a-z-]+)\)/g, (_, mode: string) =>
      JSON.stringify([process.execPath, fakeAgent, mode]),
    ),
    { file: 'lab.yaml', env: {} },
  );
}

/** The kinds of this repository. */
export const realKinds: ResolveKind = kindsIn({
  manifests: `${root}docker`,
  installs: `${root}.agents`,
  jsMain: `${root}packages/agents/src/main.ts`,
  node: process.execPath,
});
