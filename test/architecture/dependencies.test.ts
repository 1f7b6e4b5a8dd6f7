import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** The table "Dependencies, and why" of docs/architecture.md. */
const [, section = ''] = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8').split(
  '## Dependencies, and why',
);
const rows = section
  .split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .map((line) => {
    const [, packages = '', usedBy = '', reason = ''] = line.split('|');
    return {
      names: [...packages.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      dev: packages.includes('dev:'),
      usedBy: usedBy.split(',').map((room) => room.trim()),
      reason: reason.trim(),
    };
  });
if (rows === undefined) throw new Error('the table is gone');

const isNamed = (pattern: string, name: string): boolean =>
  pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;

const rooms = readdirSync(join(root, 'packages'));
const runtime = rooms.flatMap((room) =>
  Object.keys(manifestOf(`packages/${room}`).dependencies ?? {})
    .filter((name) => !name.startsWith('@plugfest/'))
    .map((name) => ({ room, name })),
);
const development = Object.keys(manifestOf('.').devDependencies ?? {}).filter(
  (name) => !name.startsWith('@types/'),
);

it('each runtime dependency has its reason, in the row of the rooms that use it', () => {
  const missing = runtime.filter(
    ({ room, name }) =>
      !rows.some(
        (row) =>
          !row.dev &&
          row.reason !== '' &&
          row.usedBy.includes(room) &&
          row.names.some((each) => isNamed(each, name)),
      ),
  );
  expect(missing).toEqual([]);
});

it('each dependency of development has one, too', () => {
  const named = rows.flatMap(({ names }) => names);
  expect(development.filter((name) => !named.some((each) => isNamed(each, name)))).toEqual([]);
});

it('the table names nothing that is not used any more, nor rooms that do not use it', () => {
  const all = [...runtime.map(({ name }) => name), ...development];
  expect(
    rows.flatMap(({ names }) => names).filter((each) => !all.some((name) => isNamed(each, name))),
  ).toEqual([]);
  const idle = rows
    .filter(({ dev }) => !dev)
    .flatMap(({ names, usedBy }) =>
      usedBy
        .filter(
          (used) =>
            !runtime.some(({ room, name }) => room === used && names.some((each) => isNamed(each, name))),
        )
        .map((used) => `${names.join(', ')}: ${used}`),
    );
  expect(idle).toEqual([]);
});
