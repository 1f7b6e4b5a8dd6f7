import { type Fault, faultSchemas } from '@plugfest/proxy';

const intro = `# Faults

The proxy can do to traffic what networks, gateways and careless agents do to it. The capture keeps what each party really
sent; what the other side was shown instead is a *change* with the reason \`fault-NAME\` (what was, what became of it), and an
exchange that a fault ended has the end \`fault\`. A fault that was to act and could not leaves the note \`fault-bypassed\` with
the reason, so a test that tested nothing does not look like one that passed.

**Nobody is blamed for a fault.** Servers are judged by what they sent, clients by what they sent before a fault misled them.
After a fault has acted, nothing that the misled party does towards that peer, in that cell (without cells: in that capture), is
a finding against it; the rule is *undecidable* there. [Architecture](architecture.md) has the rest.

## Where they are given

In a lab file under \`faults:\`, or for a proxy session in a file of its own (\`plugfest proxy --faults FILE\`; schema:
[faults.schema.json](faults.schema.json)). Unknown keys are errors, with line and column.

    seed: 7
    faults:
      - { fault: cut, edge: client -> hotel, operation: SendStreamingMessage, nth: 1, afterEvents: 2 }
      - { fault: drop-message, edge: "* -> hotel", eventProbability: 0.2 }
      - { fault: webhook-duplicate, probability: 0.5, gapMs: 100 }

Several faults may act on one exchange, in the order of the list. Without any, none of this is in the path.

**The same seed and the same traffic give the same faults.** Each fault draws for itself, by its seed, its id, the caller, callee and
cell, and the number of the exchange among those that fit; other faults and other traffic do not move it.

A request is held until its body is there, up to 1 MiB, where that is needed: on an edge with a fault that is chosen by operation
or task, and for one that keeps the request from the callee (\`reset\` and \`hang\` on requests, \`webhook-drop\`) or sends it twice
(\`webhook-duplicate\`). Before all others it goes its way as without faults; one that delays it delays no more than that. What could
never act, such as \`webhook-drop\` for an operation, is an error. Other limits: HTTP/1.1 bodies that change their length are sent in
chunks; encoded bodies (gzip) are not opened but bypassed, and so are messages over 1 MiB.

**WebSocket.** What is said after an upgrade is subject to \`bandwidth\`, \`cut\`, \`delay-message\`, \`drop-message\`, \`duplicate-message\`, \`hang\`, \`latency\`,
\`malformed-json\`, \`rechunk\`, \`reorder-messages\` and \`reset\`: what the callee says, and with \`on: request\` what the client says. A message is all
frames of it, under the mask that it had; pings, pongs and closes are left alone. Where messages are to be left out, repeated, moved or altered,
the callee is asked without \`Sec-WebSocket-Extensions\`, since compressed messages refer to those before them; that, too, is a change. In other protocols
those that count bytes act. What a fault still holds when one side breaks the connection off is lost.

## While it runs

\`plugfest proxy --control PORT\` listens on 127.0.0.1 (0: any free port) and prints a token once. Every call carries it:
\`Authorization: Bearer TOKEN\`. Answers are JSON, errors are \`{"error":{"code","message"}}\`. Each switch is a note in the capture.

| call | does |
| --- | --- |
| \`GET /v1/edges\` | lists the open taps: caller, callee, kind, cell, origin |
| \`GET /v1/kinds\` | lists the kinds of faults, with the JSON Schema of each |
| \`GET /v1/state\` | counts edges, faults, and exchanges that faults acted on or missed |
| \`GET /v1/faults\`, \`GET /v1/faults/ID\` | what is there, and how often it acted |
| \`PUT /v1/faults/ID\` | adds or replaces one (201, 200); the body is an entry as in a file |
| \`DELETE /v1/faults/ID\`, \`DELETE /v1/faults\` | takes one away, or all (204) |

    curl -X PUT -H "Authorization: Bearer $TOKEN" -d '{"fault":"latency","delayMs":500}' http://127.0.0.1:4040/v1/faults/slow

Exchanges that are under way keep the faults that they began with.

## How agents take them

The scenarios \`resilience-*\` play faults and look at what the client makes of them; a lab runs them where its \`scenarios\` name
them. \`plugfest run labs/resilience.yaml\` does so with agents on the official SDKs.

\`resilience-oversized\` sends a message of 6 MiB. An agent that refuses it while it still comes leaves half a gRPC message, which cannot be searched for
secrets; so it is not stored, and the report tells of a gap in the capture for each. Nothing is judged by what is missing there.
`;

interface Property {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Property[];
  readonly items?: Property;
  readonly minimum?: number;
  readonly maximum?: number;
}

function typeOf(property: Property): string {
  if (property.enum !== undefined)
    return property.enum.length > 6
      ? 'name'
      : property.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (property.anyOf !== undefined) return property.anyOf.map(typeOf).join(' or ');
  if (property.type === 'array') return `list of ${typeOf(property.items ?? {})}`;
  const { minimum, maximum } = property;
  const range =
    minimum !== undefined && maximum !== undefined && maximum < 1e9 ? ` ${minimum}–${maximum}` : '';
  return `${property.type ?? 'any'}${range}`;
}

interface EntrySchema {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

function rowsOf({ properties, required = [] }: EntrySchema, names: readonly string[]): string {
  return names
    .map((name) => {
      const property = properties[name] ?? {};
      const must = required.includes(name) ? ', **required**' : '';
      return `| \`${name}\` | ${typeOf(property)}${must} | ${property.description ?? ''} |`;
    })
    .join('\n');
}

const table = (rows: string): string => `| key | value | meaning |\n| --- | --- | --- |\n${rows}\n`;

/** `docs/faults.md`, from the kinds of faults. */
export function faultsPage(kinds: ReadonlyMap<string, Fault>): string {
  const schemas = faultSchemas(kinds) as Readonly<Record<string, EntrySchema>>;
  const schemaOf = ({ name }: Fault): EntrySchema => schemas[name] ?? { properties: {} };
  const sections = [...kinds.values()].map((kind) => {
    const { name, about, edges, parameters } = kind;
    const where = edges === 'webhook' ? ' On webhook edges.' : edges === 'a2a' ? ' On edges to agents.' : '';
    const rows = parameters.length > 0 ? `\n${table(rowsOf(schemaOf(kind), parameters))}` : '';
    return `### ${name}\n\n${about}${where}\n${rows}`;
  });
  const [first] = kinds.values();
  const selectors =
    first === undefined
      ? []
      : Object.keys(schemaOf(first).properties).filter(
          (name) => name !== 'fault' && !first.parameters.includes(name),
        );
  const chosen = first === undefined ? '' : table(rowsOf(schemaOf(first), selectors));
  return `<!-- Generated by \`npm run docs\` from packages/proxy/src/faults/kinds/. Do not edit. -->

${intro}
## Which exchanges

Every fault has these keys beside its own. All that are given have to fit.

${chosen}
## Kinds

To add one, add a file to \`packages/proxy/src/faults/kinds/\`.

${sections.join('\n')}`;
}
