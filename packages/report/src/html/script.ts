import { readFileSync } from 'node:fs';

const folder = new URL('./client/', import.meta.url);
const importLine = /^import \{[^}]*\} from '\.\/([\w-]+\.js)';\n/gm;

/**
 * The modules of `client/` as one script: a page opened from disk cannot import. Each module comes after those it
 * imports; names are unique across modules, as they share one scope.
 */
export function clientScript(): string {
  const done = new Map<string, string>();
  const add = (name: string): void => {
    if (done.has(name)) return;
    done.set(name, '');
    const source = readFileSync(new URL(name, folder), 'utf8');
    for (const match of source.matchAll(importLine)) if (match[1] !== undefined) add(match[1]);
    done.delete(name);
    done.set(name, source.replace(importLine, '').replace(/^export /gm, ''));
  };
  add('main.js');
  return `(() => {\n'use strict';\n${[...done.values()].join('\n')}})();\n`;
}
