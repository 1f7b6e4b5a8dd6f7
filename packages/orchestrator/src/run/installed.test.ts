import { isPlugfestError, PlugfestError } from '@plugfest/model';
import { expect, test } from 'vitest';
import type { ResolveKind } from '../agents/kinds.ts';
import { lab } from '../testing/labs.ts';
import { requireInstalled, type ToolchainsMissing } from './installed.ts';

const here: ResolveKind = async (kind) => {
  if (kind !== 'js')
    throw new PlugfestError('PLUGFEST_AGENT_NOT_INSTALLED', `The ${kind} lab agent is not installed.`);
  const offers = { versions: ['1.0'], bindings: ['JSONRPC'], features: [], listed: true } as const;
  return { command: [kind], cwd: '/', about: kind, offers };
};

async function refusal(agents: string, toolchains?: ToolchainsMissing) {
  const error: unknown = await requireInstalled(
    lab(`name: x\nagents:\n${agents}`).agents,
    here,
    toolchains,
  ).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isPlugfestError(error) ? { code: error.code, text: error.message, hint: error.hint } : error;
}

test('all that is missing is told at once, with the command that installs it', async () => {
  const agents = `
  jay: { kind: js, protocol: "1.0" }
  gull: { kind: go, protocol: both }
  oak: { kind: java, protocol: both }
  second: { kind: go, protocol: both }
  guest: { command: [/srv/plugfest/.agents/guest-fasta2a/venv/bin/python, serve.py] }
  own: { command: [./no-such-agent] }
  onPath: { command: [no-such-agent] }
  remote: { card: "http://127.0.0.1:9/" }
`;
  const asked: (readonly string[])[] = [];
  const found = await refusal(agents, async (names) => {
    asked.push(names);
    return new Map([['go', 'needs Go 1.24 (there is no go on PATH)']]);
  });
  expect(asked).toEqual([['go', 'java', 'guest-fasta2a']]);
  expect(found).toEqual({
    code: 'PLUGFEST_AGENT_NOT_INSTALLED',
    text: [
      'gull: The go lab agent is not installed. Its toolchain is missing here: needs Go 1.24 (there is no go on PATH).',
      'oak: The java lab agent is not installed.',
      'second: The go lab agent is not installed. Its toolchain is missing here: needs Go 1.24 (there is no go on PATH).',
      'guest: guest-fasta2a is not installed.',
      'own: there is no program ./no-such-agent',
    ].join('\n'),
    hint: 'Run `npm run agents:install -- --only go,java,guest-fasta2a`, or leave them out: `optional: true`, or --only for other cells.',
  });
});

test('what a kind has not is told there, too, and a lab that is all there is let pass', async () => {
  expect(
    await refusal(
      '  jay: { kind: js, protocol: "0.3" }\n  kay: { kind: js, protocol: "1.0", bindings: [GRPC] }\n',
    ),
  ).toEqual({
    code: 'PLUGFEST_LAB_INVALID',
    text: [
      'agents.jay.protocol: the kind js has no 0.3; it has 1.0',
      'agents.kay.bindings: the kind js has no GRPC; it has JSONRPC',
    ].join('\n'),
    hint: 'Ask for what the kind has, or take another kind.',
  });
  const own = JSON.stringify(process.execPath);
  expect(
    await refusal(`  jay: { kind: js, protocol: both }\n  own: { command: [${own}] }\n`),
  ).toBeUndefined();
});
