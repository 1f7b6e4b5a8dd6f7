import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PlugfestError } from '@plugfest/model';
import { printable } from '@plugfest/report';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';

interface AgentOptions {
  readonly name: string;
  readonly protocol: string;
  readonly bindings: string;
  readonly port: string;
  readonly fault?: string;
}

function portOf(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new PlugfestError('PLUGFEST_USAGE', `--port takes a whole number from 0 to 65535, not "${text}"`, {
      hint: 'Leave --port out for a free one.',
    });
  return text;
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
    .option('--port <port>', 'port on 127.0.0.1; 0 takes a free one', portOf, '0')
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
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, PLUGFEST_PARENT: 'stdin' },
      });
      let serving = false;
      const said: string[] = [];
      createInterface({ input: child.stdout }).once('line', (line) => {
        const { card } = JSON.parse(line) as { readonly card: string };
        serving = true;
        for (const each of said) io.log(each);
        io.out(`${printable(card)}\n`);
        io.log('Serving until Ctrl-C.');
      });
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (serving) io.log(line);
        else said.push(line);
      });
      io.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
      const { promise, resolve } = Promise.withResolvers<number>();
      child.once('close', (code) => resolve(code ?? 0));
      const code = await promise;
      if (code === 0 || io.signal.aborted) return;
      const [refusal = 'the agent refused to start'] = said;
      // What it says when it refuses a flag, or cannot have its port (docs/lab-agents.md).
      if (!serving && code === 2)
        throw new PlugfestError(
          refusal.startsWith('cannot listen') ? 'PLUGFEST_LISTEN' : 'PLUGFEST_USAGE',
          refusal,
          { hint: 'plugfest agent --help shows the flags.' },
        );
      if (!serving) for (const each of said) io.log(each);
      io.exit(3);
    });
