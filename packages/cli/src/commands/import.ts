import { randomUUID } from 'node:crypto';
import { accessSync, constants, createReadStream, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  loadFormats,
  moveCapture,
  openCapture,
  requireFree,
  requireReplaceable,
  severalFiles,
} from '@plugfest/capture';
import { PlugfestError, runId } from '@plugfest/model';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Io } from '../io.ts';

interface ImportOptions {
  readonly from: string;
  readonly output: string;
  readonly force?: true;
  readonly name: ReadonlyMap<string, string>;
}

const formats = (await loadFormats()).filter(({ read }) => read !== undefined);

/** `plugfest import FILE…`: a capture from traffic that Plugfest did not record. */
export default (io: Io): Command =>
  new Command('import')
    .description('make a capture from other formats')
    .argument('<file...>', 'files to read, in order')
    .addOption(
      new Option('--from <format>', 'format of the files')
        .choices(formats.map(({ format }) => format))
        .default('ndjson'),
    )
    .requiredOption('-o, --output <capture>', 'capture to write')
    .option('--force', 'replace a capture that exists')
    .addOption(
      new Option(
        '--name <host=name>',
        'what the participant at a host, host:port or address is called; repeatable',
      )
        .argParser(addName)
        .default(new Map(), 'its address'),
    )
    .addHelpText(
      'after',
      `
Formats:
${formats.map(({ format, about }) => `  ${format.padEnd(10)} ${about}`).join('\n')}

A capture of other tools names hosts, not agents: --name says who they are; the name "webhook receiver" is that of
whoever takes push deliveries.

Examples:
  plugfest import traffic.ndjson -o traffic.sqlite
  plugfest import flows.mitm --from mitmproxy --name hotel.local:8080=hotel -o traffic.sqlite`,
    )
    .action(async (files: readonly string[], options: ImportOptions) => {
      const output = resolve(io.cwd, options.output);
      const existing = options.force ? 'replace' : 'refuse';
      if (existing === 'replace') requireReplaceable(output);
      else requireFree(output, 'Choose another name, or add --force.');
      for (const file of files) requireReadable(file, resolve(io.cwd, file));
      // A file that turns out malformed half-way must not leave half a capture, nor cost the one that was there.
      const partial = `${output}.partial-${process.pid}`;
      const sink = openCapture({ file: partial, run: runId(`import-${randomUUID()}`), existing: 'replace' });
      const format = formats.find(({ format: name }) => name === options.from);
      const each = severalFiles(sink);
      let count = 0;
      try {
        for (const [index, file] of files.entries()) {
          const bytes = createReadStream(resolve(io.cwd, file));
          const own =
            (await format?.read?.(bytes, each, {
              file,
              names: options.name,
              idPrefix: index === 0 ? '' : `f${index + 1}-`,
            })) ?? 0;
          if (own === 0)
            throw new PlugfestError('PLUGFEST_IMPORT_FORMAT', `${file} holds no exchange`, {
              hint: `Give a file of the format ${options.from}: ${format?.about}.`,
            });
          count += own;
        }
        await sink.close();
        moveCapture(partial, output, existing);
      } catch (problem) {
        await sink.close().catch(() => {
          // The first problem is the one to report; this file is thrown away.
        });
        throw problem;
      } finally {
        for (const suffix of ['', '-wal', '-shm']) rmSync(partial + suffix, { force: true });
      }
      io.log(`${count} exchange${count === 1 ? '' : 's'} imported into ${options.output}.`);
    });

function requireReadable(name: string, path: string): void {
  let problem: string | undefined;
  try {
    if (!statSync(path).isFile()) problem = 'is not a file';
    else accessSync(path, constants.R_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
  }
  if (problem !== undefined)
    throw new PlugfestError('PLUGFEST_IMPORT_FORMAT', `${name} ${problem}`, {
      hint: 'Give the path of a file to import.',
    });
}

/** Takes `host=name` into the names given so far. */
function addName(text: string, names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = text.lastIndexOf('=');
  const [host, name] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at === -1 || host === '' || name === '')
    throw new InvalidArgumentError('Write HOST=NAME, such as hotel.local:8080=hotel.');
  return new Map([...names, [host, name]]);
}
