import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const docker = join(import.meta.dirname, '../../docker');

/** Files below a folder, with their text. */
function filesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.sort().map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  );
}

// Each image is built from its folder alone, so the two Go agents cannot share files.
test.each(['lab', 'probe'])('%s is the same in both Go agents', (folder) => {
  const original = filesBelow(join(docker, 'agent-go', folder));
  expect(Object.keys(original)).not.toEqual([]);
  expect(filesBelow(join(docker, 'agent-go-03', folder))).toEqual(original);
});
