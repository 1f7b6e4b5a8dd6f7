import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/** A folder of sources, under the name that stands for it in the hash. */
export interface SourceFolder {
  readonly name: string;
  readonly folder: URL;
}

/**
 * All code that a verdict depends on: the rules with the modules that they share, the kernel that applies them, the
 * decoder, and the model's reading of headers and JSON.
 */
export const judgingSources = (): readonly SourceFolder[] => [
  { name: 'rules', folder: new URL('./', import.meta.url) },
  ...['verifier', 'a2a', 'model'].map((name) => ({
    name,
    folder: new URL('./', pathToFileURL(require.resolve(`@plugfest/${name}`))),
  })),
];

/** The libraries that these packages use, as `name@version`: their manifests name exact versions. */
export function judgingLibraries(sources: readonly SourceFolder[] = judgingSources()): readonly string[] {
  const named = sources.flatMap(({ folder }) => {
    const manifest: { readonly dependencies?: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(new URL('../package.json', folder), 'utf8'),
    );
    return Object.entries(manifest.dependencies ?? {});
  });
  const foreign = named.filter(([name]) => !name.startsWith('@plugfest/'));
  return [...new Set(foreign.map(([name, version]) => `${name}@${version}`))].sort();
}

const isSource = (path: string): boolean =>
  /\.[jt]s$/.test(path) &&
  !/\.(?:test|bench|fixture|d)\.[jt]s$/.test(path) &&
  !/(?:^|\/)(?:testing|fixtures)\//.test(path);

/**
 * `sha256:…` over the sources in these folders: the names and texts of all files but tests, in the order of their
 * names, and over the versions of the libraries that they use. It pins what a rulebook says and how it judges. The same sources give the same hash on each machine and in
 * each clone, whatever line ends the checkout has.
 */
export function sourceHash(
  folders: readonly SourceFolder[],
  libraries: readonly string[] = judgingLibraries(),
): string {
  const hash = createHash('sha256');
  hash.update(`${libraries.join('\n')}\n`);
  for (const { name, folder } of folders) {
    const root = fileURLToPath(folder);
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, `${entry.parentPath}${sep}${entry.name}`).replaceAll(sep, '/'))
      .filter(isSource)
      .sort((a, b) => (a < b ? -1 : 1));
    for (const file of files) {
      const text = readFileSync(new URL(file, folder), 'utf8').replaceAll('\r\n', '\n');
      hash.update(`${name}/${file}\n${Buffer.byteLength(text)}\n${text}`);
    }
  }
  return `sha256:${hash.digest('hex')}`;
}
