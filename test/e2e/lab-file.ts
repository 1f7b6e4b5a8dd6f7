import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

let count = 0;

/** Writes a lab file and gives its path. */
export function labFile(folder: string, text: string): string {
  count += 1;
  const file = join(folder, `lab-${count}.yaml`);
  writeFileSync(file, text);
  return file;
}

/** A program and its arguments as a YAML list. */
export function stubCommand(name: string): string {
  return JSON.stringify([process.execPath, join(import.meta.dirname, 'stubs', `${name}.mjs`)]);
}
