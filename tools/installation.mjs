// Plain JavaScript, as `launch.mjs` is.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {};

/**
 * Whether what `package-lock.json` wants is installed, by npm's own record of what it put into `node_modules`, which it
 * writes last; so whoever ran `npm ci` needs no registry after that. Packages of other platforms may be missing.
 */
export function isInstalled(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  let there;
  try {
    there = packagesOf(record);
  } catch {
    return false;
  }
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '' || (there[path] === undefined && wanted.optional === true)) return true;
    // Packages of the workspace lie beside `node_modules`, with links to them in it.
    if (!path.includes('node_modules/')) return true;
    const found = there[path];
    return found?.version === wanted.version && found?.integrity === wanted.integrity;
  });
}
