import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type CommandOptions, must, run } from './command.ts';
import type { Engine } from './engine.ts';
import { buildJaeger } from './jaeger.ts';

/**
 * Images that Dockerfiles begin with, made on this machine, for engines that reach no image registry. The Dockerfiles
 * know nothing of it: an image here has the tag that they name. What an image of that name is expected to bring is
 * Debian 12, with the runtime copied from this machine or taken from Debian's packages, and with this machine's
 * certificate authorities, so that package clients reach their registries from inside a build.
 */
export interface BaseImages {
  /** Makes those that the engine lacks and cannot get. */
  provide(dockerfile: string): Promise<void>;
  /** Makes the image of this name, where the engine lacks it and cannot get it. */
  provideImage(image: string): Promise<void>;
}

const recipes = new URL('./bases/', import.meta.url).pathname;
const bootstrap = 'debian:bookworm-slim';
/** A day's build of it; here it is the same image. */
const dated = /^debian:bookworm-\d{8}-slim$/;

/** Names of the images that a Dockerfile begins its stages with. */
export function basesIn(dockerfile: string): readonly string[] {
  const bases = new Set<string>();
  const stages = new Set<string>();
  for (const line of dockerfile.split('\n')) {
    const [, image = '', stage] =
      /^FROM\s+(?:--platform=\S+\s+)?(\S+)(?:\s+AS\s+(\S+))?\s*$/i.exec(line.trim()) ?? [];
    if (image !== '' && !stages.has(image) && image !== 'scratch') bases.add(image);
    if (stage !== undefined) stages.add(stage);
    const [, copied] = /^COPY\s+--from=(\S+)/i.exec(line.trim()) ?? [];
    if (copied?.includes(':') && !stages.has(copied)) bases.add(copied);
  }
  return [...bases];
}

/** How an image is made here; of those of Debian itself there is none. */
function recipeOf(image: string) {
  const [repository = '', tag = ''] = image.split(':');
  const name = repository.replaceAll('/', '-');
  return { name, tag, recipe: join(recipes, `${name}.Dockerfile`) };
}

/** Whether this machine knows how to make an image. */
export function canMake(image: string): boolean {
  return image === bootstrap || dated.test(image) || existsSync(recipeOf(image).recipe);
}

export function baseImages({ env }: Engine, log: (line: string) => void, signal: AbortSignal): BaseImages {
  const has = async (image: string) =>
    (await run('docker', ['image', 'inspect', image], { env, signal })).code === 0;

  const provide = async (image: string): Promise<void> => {
    if (await has(image)) return;
    if ((await run('docker', ['pull', '--quiet', image], { env, signal, timeoutMs: 300_000 })).code === 0)
      return;
    signal.throwIfAborted();
    log(`making ${image} here, as no registry has it`);
    if (image === bootstrap) return importDebian(image, { env, signal });
    if (dated.test(image)) {
      await provide(bootstrap);
      await must('docker', ['tag', bootstrap, image], { env, signal });
      return;
    }
    const { name, tag, recipe } = recipeOf(image);
    if (!existsSync(recipe))
      throw new Error(`there is no ${image}, and no recipe ${name}.Dockerfile to make one`);
    await provide(bootstrap);
    const folder = await mkdtemp(join(tmpdir(), 'plugfest-base-'));
    const context = join(folder, 'context');
    try {
      await mkdir(context);
      for (const [source, target] of await runtimeOf(name, { tag, folder, signal }))
        await cp(source, join(context, target), {
          recursive: true,
          filter: (path) => !path.endsWith('/share/doc'),
        });
      // A recipe may copy from here what only some machines have.
      await mkdir(join(context, 'built'), { recursive: true });
      await must('docker', ['build', '--quiet', '--tag', image, '--file', recipe, context], {
        env: { ...env, DOCKER_BUILDKIT: '0' },
        signal,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return {
    provide: async (dockerfile) => {
      for (const image of basesIn(await readFile(dockerfile, 'utf8'))) await provide(image);
    },
    provideImage: provide,
  };
}

/** The package npm, which lies behind the npm on PATH. `npm root -g` would ask whichever Node.js comes first there. */
async function npmFolder(): Promise<string> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const cli = await realpath(join(folder, 'npm')).catch(() => '');
    if (cli.endsWith('/bin/npm-cli.js')) return dirname(dirname(cli));
  }
  throw new Error('needs npm on PATH');
}

interface Making {
  readonly tag: string;
  /** For what is built on the way; it is removed afterwards. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** What is copied into the context of a recipe: path here, name there. */
async function runtimeOf(
  name: string,
  { tag, folder, signal }: Making,
): Promise<readonly (readonly [string, string])[]> {
  if (name === 'node') {
    return [
      [process.execPath, 'node'],
      [await npmFolder(), 'npm'],
    ];
  }
  if (name === 'jaegertracing-all-in-one') return [[await buildJaeger(tag, folder, signal), 'all-in-one']];
  if (name === 'golang') return [[(await must('go', ['env', 'GOROOT'])).trim(), 'go']];
  if (name === 'maven') {
    const built = join(homedir(), '.m2/repository/org/a2aproject');
    return existsSync(built) ? [[built, 'built']] : [];
  }
  if (name === 'rust') return [[(await must('rustc', ['--print', 'sysroot'])).trim(), 'rust']];
  return [];
}

const certificates = '/usr/local/share/ca-certificates';
const bundle = '/etc/ssl/certs/ca-certificates.crt';
const environment = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...[
    'SSL_CERT_FILE',
    'NODE_EXTRA_CA_CERTS',
    'PIP_CERT',
    'REQUESTS_CA_BUNDLE',
    'CURL_CA_BUNDLE',
    'CARGO_HTTP_CAINFO',
  ].map((name) => `${name}=${bundle}`),
];

async function importDebian(image: string, options: CommandOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plugfest-debian-'));
  try {
    const root = join(folder, 'root');
    await must('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root], options);
    for (const file of existsSync(certificates) ? await readdir(certificates) : [])
      await cp(join(certificates, file), join(root, certificates, file), { recursive: true });
    if (existsSync(bundle)) await cp(bundle, join(root, bundle), { dereference: true });
    for (const waste of [
      'var/cache/apt/archives',
      'var/lib/apt/lists',
      'usr/share/doc',
      'usr/share/man',
      'usr/share/locale',
    ]) {
      await rm(join(root, waste), { recursive: true, force: true });
      await mkdir(join(root, waste), { recursive: true });
    }
    await mkdir(join(root, 'var/cache/apt/archives/partial'), { recursive: true });
    await writeFile(join(root, 'etc/apt/apt.conf.d/99-slim'), 'APT::Install-Recommends "false";\n');
    const archive = join(folder, 'root.tar');
    await must('tar', ['--create', '--directory', root, '--file', archive, '.'], options);
    const changes = environment.flatMap((entry) => ['--change', `ENV ${entry}`]);
    await must('docker', ['import', ...changes, '--change', 'CMD ["bash"]', archive, image], options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
