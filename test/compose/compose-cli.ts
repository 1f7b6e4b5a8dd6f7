import { run } from './command.ts';
import type { Engine } from './engine.ts';

/** A program that understands compose files. */
export interface ComposeCli {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const known: readonly ComposeCli[] = [
  { name: 'Compose v2', command: ['docker', 'compose'] },
  { name: 'docker-compose', command: ['docker-compose'] },
];

/** Those that are here, each with its version in its name. */
export async function composeClis({ env }: Pick<Engine, 'env'>): Promise<readonly ComposeCli[]> {
  const found: ComposeCli[] = [];
  for (const { name, command } of known) {
    const [program, ...args] = command;
    const { code, output } = await run(program, [...args, 'version', '--short'], { env, timeoutMs: 30_000 });
    if (code === 0) found.push({ name: `${name} ${output.trim()}`, command });
  }
  return found;
}
