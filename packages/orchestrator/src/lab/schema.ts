import { z } from 'zod';
import { type FaultKinds, faultEntry, maxFaults } from './faults.ts';

/** Most bytes of a lab file. */
export const maxLabFileBytes = 1024 * 1024;
const maxAgents = 64;
const maxEdges = maxAgents * (maxAgents - 1);

const text = z.string().trim().min(1, 'empty');
// The operating system ends a string at NUL.
const withoutNul = z.string().regex(/^[^\0]*$/, 'holds a NUL character');
const uri = text.refine((value) => URL.canParse(value), { error: 'not an absolute URI' });
const hostName = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const binding = z.enum(['JSONRPC', 'HTTP+JSON', 'GRPC']);
const version = z.enum(['1.0', '0.3', '0.1']);
const party = z.enum(['client', 'server', 'webhook-sender', 'webhook-receiver', 'gateway', 'harness']);
const milliseconds = z.int().positive().max(3_600_000);

const drive = z
  .boolean()
  .describe(
    "Whether the agent's own client can be told to call (docs/lab-agents.md). Where not, Plugfest's raw client stands in.",
  );
const env = z
  .record(
    z.string().regex(/^[^\0=]+$/, 'the name of a variable is not empty and has neither = nor NUL'),
    withoutNul,
  )
  .describe('Environment variables for the process.');
const origins = z
  .array(z.url({ protocol: /^https?$/, error: 'not an http(s) URL' }))
  .max(16)
  .optional()
  .describe(
    'Further addresses that the agent serves on, e.g. http://127.0.0.1:9001. A card leads to declared addresses only.',
  );

const agentTimeouts = z
  .strictObject({
    startMs: milliseconds.optional().describe('For this agent to be ready.'),
    cellMs: milliseconds.optional().describe('Time box of the cells in which it takes part.'),
  })
  .optional()
  .describe('Go before those of the lab.');
const delegate = z
  .strictObject({
    message: z
      .string()
      .max(10_000)
      .refine((value) => value.includes('{{task}}') && value.includes('{{peer.card}}'), {
        error: 'has no {{peer.card}} or no {{task}}',
      })
      // The agent would be told the braces.
      .refine((value) => !/\{\{(?!(?:task|peer\.card|peer\.name)\}\})/.test(value), {
        error: 'has a place that is none of {{peer.card}}, {{peer.name}} and {{task}}',
      })
      .describe(
        'What it is told, e.g. "Ask the agent at {{peer.card}} to {{task}}". {{peer.name}} is the name of that agent.',
      ),
  })
  .optional()
  .describe('For an agent that takes no drive calls, but can be asked in words to call another.');

export const kindAgent = z
  .strictObject({
    kind: text.describe('`js`, or the name of a folder docker/agent-NAME.'),
    protocol: z.enum(['1.0', '0.3', 'both']).describe('Versions that the server offers.'),
    bindings: z
      .array(binding)
      .min(1)
      .optional()
      .describe('Bindings that the server offers. Default: all that its SDK has.'),
    auth: z
      .enum(['bearer'])
      .optional()
      .describe('`bearer`: calls need a token; Plugfest makes tokens for two principals in each run.'),
    extendedCard: z.boolean().optional().describe('Offers the extended card; needs `auth`.'),
    optional: z.boolean().optional().describe('Left out, with a note, where the kind is not installed.'),
    signCard: z
      .boolean()
      .optional()
      .describe('Signs its 1.0 card with a key of its own, which Plugfest fetches through the proxy.'),
    requireExtension: uri
      .optional()
      .describe('URI of an extension that its card requires, and without which it takes no message.'),
    offerExtension: uri
      .optional()
      .describe('URI of an extension that its card offers, and that is active for messages that ask for it.'),
    fault: text.optional().describe('A defect to play (bundled JS agent only).'),
    args: z
      .array(withoutNul)
      .max(64)
      .optional()
      .describe('Further arguments of its command, for a kind that plays several roles: [--role, hotel].'),
    env: env.optional(),
    drive: drive.optional(),
    timeouts: agentTimeouts,
  })
  .describe('A lab agent that Plugfest starts.');

export const commandAgent = z
  .strictObject({
    command: z
      .array(withoutNul)
      .min(1)
      .refine(([program]) => program !== '', { path: [0], error: 'no program: empty' })
      .describe('Program and arguments; no shell.'),
    cwd: withoutNul
      .trim()
      .min(1)
      .optional()
      .describe("Working directory, relative to the lab file's folder."),
    env: env.optional(),
    card: text
      // The address that a path belongs to is not known before the agent runs.
      .refine((value) => /^https?:$/.test(URL.parse(value, 'http://127.0.0.1')?.protocol ?? ''), {
        error: 'neither an http(s) URL nor a path',
      })
      .optional()
      .describe(
        'Card URL, for a process that prints no ready line; or a path on the address that it prints.',
      ),
    origins,
    drive: drive.optional(),
    delegate,
    timeouts: agentTimeouts,
  })
  .describe('An agent that Plugfest starts by a command of yours.');

export const cardAgent = z
  .strictObject({
    card: z
      .url({ protocol: /^https?$/, error: 'not an http(s) URL' })
      .describe('Card URL, or a base URL to which the well-known path is added.'),
    origins,
    alias: z
      .string()
      .regex(hostName, 'not a host name')
      .optional()
      .describe(
        "Host name by which its peers know it, where that is not the agent's name; see `interposition`.",
      ),
    keys: z
      .string()
      .regex(/^\/[^\s?#]*$/, 'not an absolute path')
      .optional()
      .describe(
        'Path of its JWK set, which is fetched once through the proxy, so that the signatures of its card can be verified from the capture alone.',
      ),
    headers: z
      .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'not a header name'), z.string())
      .optional()
      .describe(
        "Sent with each request of Plugfest's own client; an environment variable NAME is written as in a shell, in braces.",
      ),
    drive: drive.optional(),
    delegate,
    timeouts: agentTimeouts,
  })
  .describe('An agent that runs already.');

export const agentName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const sometimes = z
  .boolean()
  .optional()
  .describe('It happens in some runs only: where it does not, the run does not fail.');

const expectedFinding = z.strictObject({
  // Bounded, as each finding is held against each entry.
  rule: text
    .max(500, 'longer than a rule id or a glob over them (500 characters)')
    .describe('Rule id, or a glob over rule ids.'),
  agent: text.optional(),
  party: party.optional(),
  scenario: text.optional(),
  sometimes,
  reason: text.describe('Why this is expected.'),
});

const expectations = z.strictObject({
  findings: z.array(expectedFinding).optional(),
  cells: z
    .array(
      z.strictObject({
        cell: text.describe('Glob over cell ids such as `amber>birch/JSONRPC/1.0/cancel`.'),
        except: text.optional().describe('Glob over those of these cells that work.'),
        sometimes,
        reason: text.describe('Why this cell is expected to fail.'),
      }),
    )
    .optional(),
});

const interposition = z
  .strictObject({
    mode: z
      .enum(['rewrite', 'alias'])
      .optional()
      .describe(
        "`rewrite` puts the proxy's addresses into cards. `alias` alters no body: in each agent's network the proxy has its peers' names and ports. Default `rewrite`.",
      ),
    listen: z
      .enum(['loopback', 'network'])
      .optional()
      .describe(
        'Where the proxy listens for an agent: on the loopback, or on the address of this machine in the network of that agent. Default `loopback`; `network` with `alias`.',
      ),
    tls: z
      .boolean()
      .optional()
      .describe(
        'The proxy speaks TLS, whatever the agents speak. Agents have to trust what SSL_CERT_FILE or NODE_EXTRA_CA_CERTS names. gRPC then runs only where `bindings` names it.',
      ),
    signatures: z
      .enum(['strip', 'resign'])
      .optional()
      .describe(
        "What becomes of a card's signatures where a URL that they cover is rewritten: removed, or replaced by one of the lab's own. Default `strip`.",
      ),
  })
  .describe('How the proxy gets between the agents (docs/interposition.md).');

export const edgeEntry = z.strictObject({
  from: text.describe('Who calls.'),
  to: text.describe('Who is called.'),
  bindings: z.array(binding).min(1).optional().describe('Only these bindings.'),
  versions: z.array(version).min(1).optional().describe('Only these versions.'),
  scenarios: z.array(text).min(1).optional().describe('Globs over scenario ids.'),
});

const edges = 'Who calls whom. Default: as `topology` says.';

const members = {
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'use letters, digits, dot, dash and underscore')
    .describe('Short name of the lab.'),
  title: text.optional().describe('Headline of the report.'),
  tracing: z
    .enum(['observe', 'inject'])
    .optional()
    .describe('`inject` adds `traceparent` to what passes the proxy. Default `observe`.'),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .optional()
    .describe('Makes nonces and jitter repeatable.'),
  concurrency: z.int().min(1).max(64).optional().describe('Cells at once. Default 4.'),
  scenarios: z.array(text).min(1).optional().describe('Globs over scenario ids. Default: all.'),
  bindings: z.array(binding).min(1).optional().describe('Only these bindings.'),
  versions: z.array(version).min(1).optional().describe('Only these versions.'),
  timeouts: z
    .strictObject({
      startMs: milliseconds.optional().describe('For an agent to be ready. Default 20000.'),
      cellMs: milliseconds.optional().describe('Time box of a cell. Default 30000.'),
    })
    .optional(),
  interposition: interposition.optional(),
  topology: z
    .enum(['mesh', 'chain', 'star'])
    .optional()
    .describe(
      'Who calls whom, where `edges` does not say: everybody everybody (the default), each the next, or the first all others.',
    ),
  repeat: z.int().min(1).max(100).optional().describe('How often each cell is run. Default 1.'),
  expect: expectations
    .optional()
    .describe(
      'What is known to fail, each entry with its reason. An entry that no longer occurs fails the run.',
    ),
};

/** What is read of a lab file where only its expectations matter. */
export const expectationsFile = z.looseObject({ expect: expectations });

/** The findings that are known of a capture, apart from any lab. */
export const baselineFile = z.strictObject({ findings: z.array(expectedFinding) });
export type ExpectedFindingEntry = z.infer<typeof expectedFinding>;

const faults = 'Faults that are played from the start (docs/faults.md), in this order.';

/**
 * The lab file as it is checked: agents, edges and faults are left open, since which form one has decides what is wrong with it.
 */
export const labFile = z.strictObject({
  ...members,
  faults: z.array(z.unknown()).max(maxFaults).optional(),
  edges: z.array(z.unknown()).min(1).max(maxEdges).optional(),
  agents: z
    .record(z.string(), z.unknown())
    .refine((agents) => Object.keys(agents).length <= maxAgents, `a lab has at most ${maxAgents} agents`),
});
export type LabFile = z.infer<typeof labFile>;

/** JSON Schema (2020-12) of a lab file, for editors. */
export function labJsonSchema(kinds: FaultKinds): Record<string, unknown> {
  const published = z.strictObject({
    ...members,
    faults: z.array(faultEntry(kinds)).max(maxFaults).optional().describe(faults),
    edges: z
      .array(z.union([text.describe('`caller -> callee`'), edgeEntry]))
      .min(1)
      .max(maxEdges)
      .optional()
      .describe(edges),
    agents: z
      .record(z.string().regex(agentName), z.union([kindAgent, commandAgent, cardAgent]))
      .meta({ maxProperties: maxAgents }),
  });
  return { ...z.toJSONSchema(published), title: 'Plugfest lab' };
}
