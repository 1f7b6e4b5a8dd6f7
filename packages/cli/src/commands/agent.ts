import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';

interface AgentOptions {
  readonly name: string;
  readonly protocol: string;
  readonly bindings: string;
  readonly port: string;
  readonly fault?: string;
}

/** `plugfest agent`: the bundled lab agent, a target to practise on. */
export default (io: Io): Command =>
  new Command('agent')
    .description('start the bundled lab agent (official JS SDK) and print its card URL')
    .option('--name <name>', "the card's name", 'practice')
    .addOption(
      new Option('--protocol <version>', 'versions to offer').choices(['1.0', '0.3', 'both']).default('both'),
    )
    .option('--bindings <list>', 'bindings to offer for 1.0', 'JSONRPC,HTTP+JSON')
    .option('--port <port>', 'port on 127.0.0.1; 0 takes a free one', '0')
    .option('--fault <name>', 'play a defect')
    .addHelpText(
      'after',
      '\nExample:\n  plugfest agent --protocol 1.0 --port 4000 --fault events-after-terminal',
    )
    .action(async (options: AgentOptions) => {
      const main = fileURLToPath(import.meta.resolve('@plugfest/agents/main'));
      const args = [
        main,
        ...['--name', options.name, '--protocol', options.protocol, '--bindings', options.bindings],
        ...['--httpPort', options.port, ...(options.fault === undefined ? [] : ['--fault', options.fault])],
      ];
      const child = spawn(process.execPath, args, {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, PLUGFEST_PARENT: 'stdin' },
      });
      child.stdout.setEncoding('utf8');
      child.stdout.once('data', (line: string) => {
        const { card } = JSON.parse(line) as { readonly card: string };
        io.out(`${card}\n`);
        io.log('Serving until Ctrl-C.');
      });
      io.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
      const { promise, resolve } = Promise.withResolvers<number>();
      child.once('exit', (code) => resolve(code ?? 0));
      const code = await promise;
      if (code !== 0 && !io.signal.aborted) io.exit(code === 2 ? 2 : 3);
    });
