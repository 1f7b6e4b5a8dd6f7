import { isPlugfestError } from '@plugfest/model';
import { describe, expect, test } from 'vitest';
import type { Lab } from './lab.ts';
import { parseLab } from './parse.ts';
import { labJsonSchema } from './schema.ts';

const options = {
  file: 'labs/x.yaml',
  env: { TOKEN: 's3cret', PORT: '9000', HOST: 'vendor' },
  scenarioIds: ['stream', 'send-blocking'],
};

function parse(text: string): Lab {
  return parseLab(text, options);
}

function problems(text: string): readonly string[] {
  try {
    parse(text);
  } catch (error) {
    if (!isPlugfestError(error)) throw error;
    expect(error.code).toBe('PLUGFEST_LAB_INVALID');
    expect(error.hint).toBeTruthy();
    return error.message.split('\n');
  }
  throw new Error('the lab was taken');
}

const head = 'name: x\nagents:\n  amber: { kind: js, protocol: "1.0" }\n';

describe('a lab file', () => {
  test('with little in it has defaults for the rest', () => {
    const lab = parse(`${head}  birch: { card: "http://127.0.0.1:9/" }\n`);
    expect(lab).toMatchObject({
      name: 'x',
      title: 'x',
      tracing: 'observe',
      concurrency: 4,
      timeouts: { startMs: 20_000, cellMs: 30_000 },
      scenarios: ['*'],
      edges: [
        { caller: 'amber', callee: 'birch' },
        { caller: 'birch', callee: 'amber' },
      ],
    });
    expect(lab.agents.map(({ name, form, drive }) => [name, form, drive])).toEqual([
      ['amber', 'kind', true],
      ['birch', 'card', false],
    ]);
  });

  test('lists its edges, with limits of their own, or takes them from a topology', () => {
    const three = 'name: x\nagents:\n  a: { command: [a] }\n  b: { command: [b] }\n  c: { command: [c] }\n';
    const pairs = (more: string) =>
      parse(three + more)
        .edges.map(({ caller, callee }) => `${caller}${callee}`)
        .join(' ');
    expect(pairs('')).toBe('ab ac ba bc ca cb');
    expect(pairs('topology: mesh\n')).toBe('ab ac ba bc ca cb');
    expect(pairs('topology: chain\n')).toBe('ab bc');
    expect(pairs('topology: star\n')).toBe('ab ac');
    const edge = '{ from: c, to: a, bindings: [GRPC], versions: ["0.3"], scenarios: [str*] }';
    expect(parse(`${three}edges: [a -> b, ${edge}]\nrepeat: 3\n`)).toMatchObject({
      edges: [
        { caller: 'a', callee: 'b' },
        { caller: 'c', callee: 'a', bindings: ['GRPC'], versions: ['0.3'], scenarios: ['str*'] },
      ],
      repeat: 3,
    });
  });

  test('puts a value from the environment into a header', () => {
    const lab = parse(
      `name: x\nagents:\n  a:\n    card: "https://a.example/"\n    headers: { Authorization: "Bearer \${TOKEN}", X: "$\${TOKEN}" }\n`,
    );
    expect(lab.agents[0]).toMatchObject({
      headers: { Authorization: 'Bearer s3cret', X: `\${TOKEN}` },
      secrets: ['s3cret'],
    });
  });

  test('takes the address of a running agent from the environment', () => {
    const lab = parse(
      `name: x\nagents:\n  a:\n    card: "http://127.0.0.1:\${PORT}/"\n    origins: ["http://\${HOST}:1"]\n    alias: "\${HOST}"\n`,
    );
    expect(lab.agents).toMatchObject([
      { card: 'http://127.0.0.1:9000/', origins: ['http://vendor:1'], alias: 'vendor' },
    ]);
  });

  test('names further origins of an agent', () => {
    const lab = parse(
      'name: x\nagents:\n  a: { card: "http://127.0.0.1:9/", origins: ["http://127.0.0.1:10/rest"] }\n  b: { command: [b] }\n',
    );
    expect(lab.agents).toMatchObject([{ origins: ['http://127.0.0.1:10'] }, { origins: [] }]);
  });
});

describe('what is wrong with a lab file is told with its place', () => {
  test('an unknown key, with the keys that are known', () => {
    expect(problems(`${head}concurency: 3\n`)).toEqual([
      expect.stringMatching(
        /^labs\/x\.yaml:4:1: concurency: unknown key \(did you mean concurrency\?\); known here: name, title, .*concurrency/,
      ),
    ]);
  });

  test('an unknown key of an agent, with the keys of that form', () => {
    expect(
      problems('name: x\nagents:\n  amber:\n    kind: js\n    protocl: both\n    protocol: both\n'),
    ).toEqual([
      'labs/x.yaml:5:5: agents.amber.protocl: unknown key (did you mean protocol?); known here: kind, protocol, bindings, auth, extendedCard, optional, signCard, requireExtension, offerExtension, fault, args, env, drive, timeouts',
    ]);
  });

  test('every problem at once, from top to bottom', () => {
    const found = problems(
      [
        'name: x',
        'concurrency: many',
        'tracing: maybe',
        'agents: {}',
        'expect:',
        '  cells: [{ cell: "*" }]',
        '  findings:',
        '    - { rule: X, reason: " " }',
      ].join('\n'),
    );
    expect(found.map((text) => text.split(': ').slice(0, 2).join(': '))).toEqual([
      'labs/x.yaml:2:14: concurrency',
      'labs/x.yaml:3:10: tracing',
      'labs/x.yaml:6:11: expect.cells[0].reason',
      'labs/x.yaml:8:26: expect.findings[0].reason',
    ]);
  });

  test('a missing key, at the thing that lacks it', () => {
    expect(problems('name: x\nagents:\n  amber: { kind: js }\n')).toEqual([
      expect.stringMatching(/^labs\/x\.yaml:3:10: agents\.amber\.protocol: missing/),
    ]);
  });

  test('an agent without a form', () => {
    expect(problems('name: x\nagents:\n  amber: { url: "http://x/" }\n')).toEqual([
      'labs/x.yaml:3:3: agents.amber: an agent has one of the keys kind, command or card',
    ]);
  });

  test('a name that is taken or unusable', () => {
    const found = problems(
      'name: x\nagents:\n  plugfest: { kind: js, protocol: both }\n  "a>b": { kind: js, protocol: both }\n',
    );
    expect(found[0]).toMatch(/^labs\/x\.yaml:3:3: agents\.plugfest: the name plugfest is taken/);
    expect(found[1]).toMatch(/^labs\/x\.yaml:4:3: agents\.a>b: a name has letters/);
  });

  test('an edge to nobody, to oneself, or of the wrong form', () => {
    expect(problems(`${head}edges: ["amber -> anber"]\n`)).toEqual([
      'labs/x.yaml:4:9: edges[0]: no agent named anber (did you mean amber?); there are amber',
    ]);
    const found = problems(`${head}edges: ["amber -> elm", "amber -> amber", "amber birch"]\n`);
    expect(found).toEqual([
      'labs/x.yaml:4:9: edges[0]: no agent named elm; there are amber',
      'labs/x.yaml:4:25: edges[1]: an edge joins two different agents',
      'labs/x.yaml:4:43: edges[2]: "amber birch" is not of the form "caller -> callee"',
    ]);
  });

  test('an edge with limits that are none', () => {
    const edges = 'edges:\n  - { from: amber, to: elm, bindings: [SOAP] }\n  - { from: amber }\n  - 7\n';
    expect(problems(head + edges)).toEqual([
      expect.stringMatching(
        /^labs\/x\.yaml:5:40: edges\[0\]\.bindings\[0\]: expected one of JSONRPC, HTTP\+JSON, GRPC, not "SOAP"$/,
      ),
      expect.stringMatching(/^labs\/x\.yaml:6:5: edges\[1\]\.to: missing/),
      expect.stringMatching(/^labs\/x\.yaml:7:5: edges\[2\]: /),
    ]);
    const two = `${head}  birch: { kind: js, protocol: both }\n`;
    expect(problems(`${two}edges:\n  - { from: amber, to: birch, scenarios: [nothing] }\n`)).toEqual([
      'labs/x.yaml:6:5: edges[0]: "nothing" names no scenario',
    ]);
    expect(problems(`${two}topology: star\nedges: [amber -> birch]\n`)).toEqual([
      'labs/x.yaml:5:11: topology: edges are listed already: leave one of the two out',
    ]);
  });

  test('an extended card without principals, and words to delegate by that say nothing', () => {
    const agents =
      'name: x\nagents:\n  a: { kind: js, protocol: both, extendedCard: true }\n  b: { card: "http://127.0.0.1:9/", delegate: { message: "Do {{task}}" } }\n  c: { card: "http://127.0.0.1:9/", drive: true, delegate: { message: "{{peer.card}} {{task}}" } }\n';
    expect(problems(agents)).toEqual([
      'labs/x.yaml:3:48: agents.a.extendedCard: an extended card needs `auth: bearer`',
      expect.stringMatching(
        /^labs\/x\.yaml:4:58: agents\.b\.delegate\.message: has no \{\{peer\.card\}\} or no/,
      ),
      expect.stringMatching(/^labs\/x\.yaml:5:3: agents\.c: `drive: true` takes drive calls/),
    ]);
  });

  test('words to delegate by with a place that nothing fills', () => {
    const words = (message: string) =>
      `name: x\nagents:\n  b: { card: "http://127.0.0.1:9/", delegate: { message: "${message}" } }\n`;
    const where = 'labs/x.yaml:3:58: agents.b.delegate.message: has a place that is none of';
    for (const strange of ['{{peer.nmae}}', '{{ task }}', '{{}}', '{{task'])
      expect(problems(words(`{{peer.card}} {{task}} ${strange}`))[0]).toContain(where);
    expect(parse(words('{{peer.card}} {{peer.name}} {{task}} {x}')).agents).toHaveLength(1);
  });

  test('what is wrong with the file, its agents, edges and scenarios, at once', () => {
    const text =
      'name: x\nseed: -1\nagents:\n  a: { kind: js, protocol: "9" }\n  b: { url: x }\nedges: [a -> c]\nscenarios: [strem]\nrepeat: 0\n';
    expect(problems(text)).toEqual([
      expect.stringMatching(/^labs\/x\.yaml:2:7: seed: /),
      expect.stringMatching(/^labs\/x\.yaml:4:28: agents\.a\.protocol: /),
      expect.stringMatching(/^labs\/x\.yaml:5:3: agents\.b: an agent has one of the keys/),
      'labs/x.yaml:6:9: edges[0]: no agent named c; there are a, b',
      'labs/x.yaml:7:13: scenarios[0]: "strem" names no scenario; did you mean stream?',
      expect.stringMatching(/^labs\/x\.yaml:8:9: repeat: /),
    ]);
  });

  test('a glob that names no scenario', () => {
    expect(problems(`${head}scenarios: [str*, nothing]\n`)).toEqual([
      'labs/x.yaml:4:19: scenarios[1]: "nothing" names no scenario; there are stream, send-blocking',
    ]);
  });

  test('a number or a word of YAML where a text is meant', () => {
    expect(
      problems(
        'name: 1.0\nversions: [0.3]\nagents:\n  a: { kind: js, protocol: 1.0 }\n  b: { kind: js, protocol: 2.0 }\n  c: { command: [serve, 8080, true] }\n',
      ),
    ).toEqual([
      'labs/x.yaml:1:7: name: 1.0 is a number in YAML; write it in quotes: "1.0"',
      'labs/x.yaml:2:12: versions[0]: 0.3 is a number in YAML; write it in quotes: "0.3"',
      'labs/x.yaml:4:28: agents.a.protocol: 1.0 is a number in YAML; write it in quotes: "1.0"',
      'labs/x.yaml:5:28: agents.b.protocol: expected one of 1.0, 0.3, both, not 2',
      'labs/x.yaml:6:25: agents.c.command[1]: 8080 is a number in YAML; write it in quotes: "8080"',
      'labs/x.yaml:6:31: agents.c.command[2]: true is a boolean in YAML; write it in quotes: "true"',
    ]);
  });

  test('a kind that is none, among what else is wrong', () => {
    const text =
      'name: x\nagents:\n  a: { kind: pyton, protocol: "1.0" }\n  b: { kind: cobol, protocol: 1 }\n';
    const kinds = ['js', 'python'];
    expect(() => parseLab(text, { ...options, kinds })).toThrow(
      [
        'labs/x.yaml:3:14: agents.a.kind: there is no lab agent of kind "pyton" (did you mean python?); there are js, python',
        'labs/x.yaml:4:14: agents.b.kind: there is no lab agent of kind "cobol"; there are js, python',
        'labs/x.yaml:4:31: agents.b.protocol: 1 is a number in YAML; write it in quotes: "1.0"',
      ].join('\n'),
    );
  });

  test('what is empty, once', () => {
    const agents =
      'name: x\nagents:\n  a: { kind: js, protocol: both, requireExtension: "" }\n  b: { kind: " ", protocol: both }\n  c: { command: [""] }\n  d: { command: [] }\n';
    expect(() => parseLab(agents, { ...options, kinds: ['js'] })).toThrow(
      [
        'labs/x.yaml:3:52: agents.a.requireExtension: empty',
        'labs/x.yaml:4:14: agents.b.kind: empty',
        'labs/x.yaml:5:18: agents.c.command[0]: no program: empty',
        'labs/x.yaml:6:17: agents.d.command: empty',
      ].join('\n'),
    );
  });

  test('what is of another type, in the words of the file', () => {
    expect(
      problems(
        'name: []\ntitle: {}\nagents: { a: { kind: js, protocol: both } }\nbindings: [jsonrcp]\nversions: "1.0"\ntimeouts: 20s\nseed: -1\nrepeat: 1.5\nconcurrency: 65\ninterposition: { tls: }\n',
      ),
    ).toEqual([
      'labs/x.yaml:1:7: name: expected text, not a list',
      'labs/x.yaml:2:8: title: expected text, not keys with values',
      'labs/x.yaml:4:12: bindings[0]: expected one of JSONRPC, HTTP+JSON, GRPC (did you mean JSONRPC?)',
      'labs/x.yaml:5:11: versions: expected a list, not "1.0"',
      'labs/x.yaml:6:11: timeouts: expected keys with values, not "20s"',
      'labs/x.yaml:7:7: seed: less than 0',
      'labs/x.yaml:8:9: repeat: expected a whole number, not 1.5',
      'labs/x.yaml:9:14: concurrency: more than 64',
      'labs/x.yaml:10:23: interposition.tls: expected true or false, not nothing',
    ]);
  });

  test('a value inside of itself, a tag, and a key that is no text', () => {
    const agents = 'name: x\nagents:\n  a: { card: &a [*a] }\n';
    expect(problems(agents)).toEqual(['labs/x.yaml:3:18: *a stands inside of what it stands for']);
    expect(problems(`${head}timeouts: !!binary aGk=\n`)).toEqual([
      'labs/x.yaml:4:20: the tag !!binary has no meaning here: leave it out',
    ]);
    expect(problems(`${head}? [a]\n: 1\n`)).toEqual(['labs/x.yaml:4:3: a key is a text']);
    expect(parse(`${head}title: &t !!str 7\nexpect: { cells: [{ cell: x, reason: *t }] }\n`).title).toBe('7');
  });

  test('an expected finding of a rule, an agent or a scenario that there is not', () => {
    const text = `${head}expect:\n  findings:\n    - { rule: SSE-03, agent: anber, scenario: strem, reason: r }\n    - { rule: "SSE-*", agent: plugfest, scenario: "*", reason: r }\n    - { rule: X, agent: elm, reason: r }\n`;
    expect(() => parseLab(text, { ...options, ruleIds: ['SSE-003'] })).toThrow(
      [
        'labs/x.yaml:6:15: expect.findings[0].rule: "SSE-03" names no rule (did you mean SSE-003?)',
        'labs/x.yaml:6:30: expect.findings[0].agent: "anber" names no agent (did you mean amber?)',
        'labs/x.yaml:6:47: expect.findings[0].scenario: "strem" names no scenario (did you mean stream?)',
        'labs/x.yaml:8:15: expect.findings[2].rule: "X" names no rule',
        'labs/x.yaml:8:25: expect.findings[2].agent: "elm" names no agent; there are amber, plugfest, reference',
      ].join('\n'),
    );
  });

  test('a NUL, which no program can be given', () => {
    const found = problems(
      'name: x\nagents:\n  a: { command: [node, "a\\0b"] }\n  b: { command: [node], cwd: "\\0" }\n  c: { command: [node], env: { A: "x\\0y", "B=": z } }\n',
    );
    expect(found).toEqual([
      'labs/x.yaml:3:24: agents.a.command[1]: holds a NUL character',
      'labs/x.yaml:4:30: agents.b.cwd: holds a NUL character',
      'labs/x.yaml:5:35: agents.c.env.A: holds a NUL character',
      expect.stringMatching(/^labs\/x\.yaml:5:\d+: agents\.c\.env\.B=: the name of a variable/),
    ]);
  });

  test('more agents than a lab may have, before any pair of them is made', () => {
    const agents = Array.from({ length: 80_000 }, (_, i) => `  a${i}: 1\n`);
    expect(problems(`name: x\nagents:\n${agents.join('')}`)).toEqual([
      'labs/x.yaml:3:3: agents: a lab has at most 64 agents',
    ]);
  }, 15_000);

  test('no more than 50 problems at once', () => {
    expect(problems(head + Array.from({ length: 20_000 }, (_, i) => `k${i}: 1\n`).join(''))).toHaveLength(50);
    expect(problems(`${head}edges: [${'x, '.repeat(500)}]\n`)).toHaveLength(50);
  });

  test('YAML that is none', () => {
    expect(problems('name: x\nagents: [\n')[0]).toMatch(/^labs\/x\.yaml:\d+:\d+: /);
    expect(problems('name: x\nname: y\nagents: {}\n')[0]).toBe(
      'labs/x.yaml:2:1: the key name is here a second time',
    );
    expect(problems('')[0]).toMatch(/^labs\/x\.yaml:1:1: the file: /);
  });

  test('keys that would be lost without a word, and a second document', () => {
    expect(problems('name: x\nagents:\n  __proto__: { kind: js, protocol: "1.0" }\n')).toEqual([
      'labs/x.yaml:3:3: the key __proto__ cannot be used',
    ]);
    expect(problems(`${head}  birch: { <<: *a, kind: js }\n`.replace('amber: {', 'amber: &a {'))).toEqual([
      'labs/x.yaml:4:12: `<<` merges nothing in YAML 1.2: write the keys out',
    ]);
    expect(problems(`${head}---\nname: y\n`)).toEqual([
      'labs/x.yaml:4:1: A second document begins here; a file has one',
    ]);
  });

  test('a card of a command that is neither a URL nor a path', () => {
    for (const card of ['file:///etc/passwd', 'localhost:9000', 'http://[x'])
      expect(problems(`name: x\nagents:\n  a: { command: [a], card: "${card}" }\n`)).toEqual([
        'labs/x.yaml:3:28: agents.a.card: neither an http(s) URL nor a path',
      ]);
    for (const card of ['/card.json', 'card.json', 'https://127.0.0.1:1/x'])
      expect(parse(`name: x\nagents:\n  a: { command: [a], card: "${card}" }\n`).agents).toHaveLength(1);
  });

  test('an alias bomb', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 9; i += 1) {
      const [name, before] = [String.fromCharCode(97 + i), String.fromCharCode(96 + i)];
      bomb.push(
        `${name}: &${name} [*${before},*${before},*${before},*${before},*${before},*${before},*${before}]`,
      );
    }
    expect(problems(bomb.join('\n'))[0]).toMatch(/alias/i);
  });

  test('a variable that is not set, by its name, and no value of others', () => {
    const found = problems(
      `name: x\nagents:\n  a:\n    card: "https://a.example/"\n    headers:\n      Authorization: "\${TOKEN} \${MISSING}"\n`,
    );
    expect(found).toEqual([
      'labs/x.yaml:6:22: agents.a.headers.Authorization: the environment variable MISSING is not set',
    ]);
    expect(found.join()).not.toContain('s3cret');
  });

  test('a variable in an address that is not set, and an address that its value does not make one', () => {
    expect(
      problems(`name: x\nagents:\n  a: { card: "http://a:1", origins: ["http://a:\${MISSING}"] }\n`),
    ).toEqual(['labs/x.yaml:3:38: agents.a.origins[0]: the environment variable MISSING is not set']);
    expect(problems(`name: x\nagents:\n  a: { card: "http://a:\${HOST}" }\n`)).toEqual([
      'labs/x.yaml:3:14: agents.a.card: not an http(s) URL',
    ]);
  });
});

test('the JSON Schema knows the forms of agents and forbids other keys', () => {
  const schema = JSON.stringify(labJsonSchema(new Map()));
  for (const key of ['"kind"', '"command"', '"card"', '"concurrency"', '"additionalProperties":false'])
    expect(schema).toContain(key);
});
