import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Arguments of a job of this repository. Where help is asked for, or an argument is none of the job's, its usage is
 * printed and the process ends: with 0, or with 2 after one line that says which.
 */
export function jobArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
  { allowPositionals = false }: { readonly allowPositionals?: boolean } = {},
) {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals });
    return { values, positionals: positionals as readonly string[] };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
    process.exit(2);
  }
}
