import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LocalServer } from './local-server.ts';
import { errorLines, stackFrames } from './no-stack-trace.ts';
import { plugfest, repositoryRoot, startPlugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

const aliasProxy = ['proxy', '--mode', 'alias', '--capture', 'x.sqlite', '--edge', 'a=b@http://127.0.0.1:9'];

describe.concurrent('a wrong command line', () => {
  const cases: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
    'with an unknown command': [['vrify'], /unknown command 'vrify'/],
    'with an unknown flag': [['demo', '--colour'], /unknown option '--colour'/],
    'with an unknown format': [
      ['verify', 'x.sqlite', '--format', 'pdf'],
      /'pdf' is invalid.*text, json|Allowed choices/,
    ],
    'with a missing argument': [['run'], /missing required argument 'lab'/],
    'with an argument too many': [['demo', 'again'], /too many arguments/],
    'with a flag that lacks its value': [['proxy', '--capture'], /'--capture <file>' argument missing/],
    'with a required flag missing': [['import', 'x.ndjson'], /required option '-o, --output <capture>'/],
    'with a seed that is no number': [['run', 'labs/demo.yaml', '--seed', 'lucky'], /--seed .*lucky/],
    'with an edge that is none': [['proxy', '--capture', 'x.sqlite', '--edge', 'a-b'], /"a-b" is no edge/],
    'with no edge': [['proxy', '--capture', 'x.sqlite'], /No edge is given/],
    'with an address that is none': [
      ['proxy', '--capture', 'x.sqlite', '--edge', 'a=b@http://127.0.0.1:9', '--listen', 'here'],
      /"here" is no address/,
    ],
    'with signatures where no card is rewritten': [
      [...aliasProxy, '--signatures', 'strip'],
      /--signatures does nothing here/,
    ],
    'with a name to advertise where none is given out': [
      [...aliasProxy, '--advertise', 'lab'],
      /--advertise does nothing here/,
    ],
    'with a further origin that no card is made to lead to': [
      [...aliasProxy, '--origin', 'b=http://127.0.0.1:10'],
      /--origin does nothing here/,
    ],
    'with the card of a receiver of webhooks': [
      ['proxy', '--capture', 'x.sqlite', '--webhook', 'a=b@http://127.0.0.1:9', '--card', 'b=/card'],
      /--card does nothing here/,
    ],
    'with two proxies of one caller': [
      [
        ...['proxy', '--mode', 'forward', '--capture', 'x.sqlite'],
        ...['--edge', 'a=b@http://127.0.0.1:9', '--edge', 'a=c@http://127.0.0.1:10'],
        ...['--listen', '127.0.0.1:9100', '--listen', '127.0.0.1:9101'],
      ],
      /gives a two forward proxies, at 127\.0\.0\.1:9100 and 127\.0\.0\.1:9101/,
    ],
    'with a port of the control API that is none': [
      [...aliasProxy, '--control', '70000'],
      /--control takes a port, not "70000"/,
    ],
    'with a limit for a format without one': [
      ['export', 'x.sqlite', '--to', 'ndjson', '--limit', '3'],
      /--to ndjson writes all there is/,
    ],
    'with a rule that is not there': [['explain', 'ABC-999'], /"ABC-999"/],
    'with a glob that matches no rule': [['rules', 'ABC-*'], /"ABC-\*"/],
    'with a globbed-out lab': [
      ['run', 'labs/faulty.yaml', '--only', 'nothing', '--out', join(folder, 'none')],
      /no cell is left/,
    ],
    'with an unknown fault': [['agent', '--fault', 'teleport'], /teleport/],
    'with a port that is none': [['agent', '--port', 'many'], /--port .*"many"/],
    'with a port too high': [['agent', '--port', '99999'], /--port .*"99999"/],
    'with an unknown binding': [['agent', '--bindings', 'JSONRPC,SOAP'], /--bindings SOAP/],
  };
  for (const [what, [args, says]] of Object.entries(cases))
    it(`${what} ends with 2 and says what is wrong, on stderr`, async () => {
      const { code, stdout, stderr } = await plugfest(args);
      expect(errorLines(stderr), stderr).toHaveLength(1);
      expect(errorLines(stderr)[0]).toMatch(says);
      expect(errorLines(stderr)[0]).toMatch(/ \(PLUGFEST_[A-Z_]+\)$/);
      expect(stackFrames(stderr)).toEqual([]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    });

  it('leaves no capture behind where only the port of the control API is wrong', async () => {
    const empty = join(folder, 'no-control');
    mkdirSync(empty);
    await plugfest([...aliasProxy, '--control', '70000'], { cwd: empty });
    expect(readdirSync(empty)).toEqual([]);
  });

  it('is told what may have been meant, or else where to read on', async () => {
    const [typo, flag] = await Promise.all([plugfest(['vrify']), plugfest(['demo', '--colour'])]);
    expect(typo.stderr).toBe("plugfest: unknown command 'vrify' (PLUGFEST_USAGE)\n  Did you mean verify?\n");
    expect(flag.stderr).toBe(
      "plugfest: unknown option '--colour' (PLUGFEST_USAGE)\n  plugfest demo --help shows how it is used.\n",
    );
  });

  it('with a port in use for the agent ends with 2 and names it', async () => {
    await using taken = await LocalServer.start(() => {});
    const { port } = new URL(taken.origin);
    const { code, stderr } = await plugfest(['agent', '--port', port]);
    expect(errorLines(stderr)).toHaveLength(1);
    expect(errorLines(stderr)[0]).toMatch(new RegExp(`:${port} \\(PLUGFEST_LISTEN\\)$`));
    expect(code).toBe(2);
  });

  it('with a lab that is not there ends with 2 and names one that is', async () => {
    const { code, stderr } = await plugfest(['run', 'labs/none.yaml']);
    const [, named = ''] = /such as (\S+\.yaml)/.exec(stderr) ?? [];
    expect(existsSync(join(repositoryRoot, named))).toBe(true);
    expect(named).not.toBe('');
    expect(code).toBe(2);
  });

  const unusableOut = {
    'is a file': 'taken',
    'lies below a file': 'taken/out',
    'is refused by the system': '/proc/plugfest',
  };
  for (const [what, out] of Object.entries(unusableOut))
    it(`with an output folder that ${what} ends with 2 and its path`, async () => {
      writeFileSync(join(folder, 'taken'), 'not ours');
      const path = resolve(folder, out);
      const { code, stderr } = await plugfest(['run', 'labs/faulty.yaml', '--out', path]);
      expect(stderr).toContain(`${path} cannot be written`);
      expect(code).toBe(2);
      expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe('not ours');
    });

  it('with a port in use ends with 2, names it, and leaves no capture in the way of the next try', async () => {
    await using taken = await LocalServer.start(() => {});
    const address = new URL(taken.origin).host;
    const capture = join(folder, 'unused.sqlite');
    const { code, stdout, stderr } = await plugfest([
      ...['proxy', '--capture', capture, '--edge', 'a=b@http://127.0.0.1:9', '--listen', address],
    ]);
    expect(stderr).toContain(address);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(existsSync(capture)).toBe(false);
  });

  it('leaves no file behind', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    await plugfest(['proxy', '--capture', 'x.sqlite', '--edge', 'a-b'], { cwd: empty });
    expect(readdirSync(empty)).toEqual([]);
  });

  it('without any command shows the help and ends with 2', async () => {
    const { code, stdout, stderr } = await plugfest([]);
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(/Usage: plugfest/);
  });
});

describe.concurrent('--help', () => {
  const names: string[] = [];
  let help = '';
  beforeAll(async () => {
    const { code, stdout } = await plugfest(['--help']);
    expect(code).toBe(0);
    help = stdout;
    const list = stdout.slice(stdout.indexOf('Commands:'), stdout.indexOf('Examples:'));
    for (const [, name = ''] of list.matchAll(/^ {2}([a-z]+)/gm)) if (name !== 'help') names.push(name);
  });

  it('lists the commands', () => {
    expect(names).toEqual(
      expect.arrayContaining(['demo', 'run', 'proxy', 'agent', 'verify', 'import', 'export']),
    );
    expect(help).toMatch(/Usage: plugfest/);
    expect(help).toMatch(/Examples:\n {2}plugfest demo\n/);
  });

  it('of each command shows an example of that command', async () => {
    const pages = await Promise.all(names.map((name) => plugfest([name, '--help'])));
    for (const [index, { code, stdout }] of pages.entries()) {
      const name = names[index];
      expect(code, name).toBe(0);
      expect(stdout, name).toMatch(new RegExp(`Examples?:\n {2}plugfest ${name} ?`));
    }
  });

  it('gives the version', async () => {
    const { code, stdout } = await plugfest(['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(code).toBe(0);
  });
});

describe.concurrent('a reader that goes away early', () => {
  it('is no error, however much is left to say', async () => {
    await using rules = startPlugfest(['rules', '--format', 'json']);
    await rules.shows(/./);
    rules.closeOutput();
    expect(await rules.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
  });
});

it('the entry point is linked by any Node.js, so that an older one is told what to install', () => {
  const source = readFileSync(join(repositoryRoot, 'packages', 'cli', 'bin', 'plugfest.mjs'), 'utf8');
  const imported = [...source.matchAll(/^import \{ (.+) \} from '(.+)';$/gm)].map(
    ([, names, from]) => `${from}: ${names}`,
  );
  // All of these are older than ES modules; whatever is younger is imported once the version is known.
  expect(imported).toEqual([
    'node:child_process: spawn',
    'node:fs: existsSync',
    'node:path: dirname, join',
    'node:url: fileURLToPath',
    'node:v8: setFlagsFromString',
  ]);
});
