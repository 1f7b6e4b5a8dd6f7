import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PlugfestError } from '@plugfest/model';
import { z } from 'zod';
import type { LabBinding, LabVersion } from '../lab/lab.ts';

/** How a kind of lab agent is started; the flags of docs/lab-agents.md are appended to `command`. */
export interface KindCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  /** For people: SDK, language. */
  readonly about: string;
  readonly offers: KindOffers;
}

/** What a kind can be asked for, by its manifest. */
export interface KindOffers {
  readonly versions: readonly LabVersion[];
  readonly bindings: readonly LabBinding[];
  /** Such as `auth` and `extendedCard`; undefined where the manifest does not list any: then it has all. */
  readonly features: readonly string[] | undefined;
  /** The manifest lists versions and bindings; the client of its SDK speaks those, too, and no others. */
  readonly listed: boolean;
}

/** @throws PlugfestError PLUGFEST_AGENT_NOT_INSTALLED; PLUGFEST_LAB_INVALID where there is no such kind */
export type ResolveKind = (kind: string) => Promise<KindCommand>;

export interface KindFolders {
  /** Folder with an `agent-<kind>` folder for each kind, e.g. `<root>/docker`. */
  readonly manifests: string;
  /** Folder with a folder `<kind>` for each installed kind, e.g. `<root>/.agents`. */
  readonly installs: string;
  /** Main file of the bundled JavaScript agent. */
  readonly jsMain: string;
  /** The Node.js to run it with. */
  readonly node: string;
}

const manifest = z.object({
  name: z.string(),
  command: z.array(z.string()).default([]),
  cwd: z.string().optional(),
  about: z.string().optional(),
  versions: z
    .array(z.enum(['1.0', '0.3']))
    .min(1)
    .optional(),
  bindings: z
    .array(z.enum(['JSONRPC', 'HTTP+JSON', 'GRPC']))
    .min(1)
    .optional(),
  features: z.array(z.string()).optional(),
});

/** What a manifest offers that does not say (docs/lab-agents.md). */
const everything = { versions: ['1.0', '0.3'], bindings: ['JSONRPC', 'HTTP+JSON'] } as const;

function offersOf({ versions, bindings, features }: Partial<z.infer<typeof manifest>> = {}): KindOffers {
  const listed = versions !== undefined && bindings !== undefined;
  return { ...everything, ...(versions && { versions }), ...(bindings && { bindings }), features, listed };
}

/** Kinds as the repository has them: `js` is bundled, every other one is a folder with an `agent.json`. */
export function kindsIn(folders: KindFolders): ResolveKind {
  return async (kind) => {
    if (kind === 'js') {
      const bundled = await readManifest(join(dirname(folders.jsMain), '..', 'agent.json'));
      return {
        command: [folders.node, folders.jsMain],
        cwd: process.cwd(),
        about: bundled?.about ?? '@a2a-js/sdk (JavaScript)',
        offers: offersOf(bundled),
      };
    }
    const here = join(folders.manifests, `agent-${kind}`);
    const install = join(folders.installs, kind);
    const found = /^[a-z0-9-]+$/.test(kind) ? await readManifest(join(here, 'agent.json')) : undefined;
    if (!found) {
      throw new PlugfestError('PLUGFEST_LAB_INVALID', `There is no lab agent of kind "${kind}".`, {
        hint: `Kinds: ${(await knownKinds(folders.manifests)).join(', ')}.`,
      });
    }
    const fill = (text: string) =>
      text.replaceAll('{install}', install).replaceAll('{here}', here).replaceAll('{node}', folders.node);
    const command = found.command.map(fill);
    const installed = found.command.find((word) => word.includes('{install}'));
    if (installed !== undefined && !(await exists(fill(installed)))) {
      throw new PlugfestError('PLUGFEST_AGENT_NOT_INSTALLED', `The ${kind} lab agent is not installed.`, {
        hint: 'Run `npm run agents:install`, which says what it needs.',
      });
    }
    const about = found.about ?? `lab agent of kind ${kind}`;
    return { command, cwd: fill(found.cwd ?? '{here}'), about, offers: offersOf(found) };
  };
}

async function readManifest(file: string): Promise<z.infer<typeof manifest> | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
  // A manifest is part of the repository: a broken one is our fault, and the error says which file.
  return manifest.parse(JSON.parse(text), { error: () => `${file} is no agent manifest` });
}

/** Kinds that there are, installed or not. `manifests` is as in `KindFolders`. */
export async function knownKinds(manifests: string): Promise<readonly string[]> {
  const names = await readdir(manifests).catch(() => []);
  const kinds = names.filter((name) => name.startsWith('agent-')).map((name) => name.slice('agent-'.length));
  return ['js', ...kinds.filter((kind) => kind !== 'js').sort()];
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
