import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  exportNdjson,
  importNdjson,
  loadFormats,
  ndjsonLines,
  openCapture,
  openCaptureSource,
} from '@plugfest/capture';
import {
  type CapturedBody,
  type CaptureSource,
  cellId,
  edgeId,
  exchangeId,
  isPlugfestError,
  runId,
} from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { verify } from '@plugfest/verifier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const book = await loadRulebook();
const formats = await loadFormats();
let folder: string;
let count = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'round-trip-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fresh = (): string => {
  count += 1;
  return join(folder, `${count}.sqlite`);
};

/** Makes a capture as `plugfest import` does. */
async function imported(format: string, path: string): Promise<string> {
  const file = fresh();
  const sink = openCapture({ file, run: runId('run-1') });
  try {
    await formats
      .find((each) => each.format === format)
      ?.read?.(createReadStream(path), sink, { file: path });
  } finally {
    // Also where it is refused: a recorder that stays open keeps its files, and makes them again.
    await sink.close();
  }
  return file;
}

async function reimported(text: string): Promise<string> {
  const file = fresh();
  const sink = openCapture({ file, run: runId('run-2') });
  try {
    await importNdjson(ndjsonLines(pieces(text), { file: 'text' }), sink, { file: 'text' });
  } finally {
    await sink.close();
  }
  return file;
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function reading<Result>(file: string, read: (source: CaptureSource) => Result): Result {
  const source = openCaptureSource(file);
  try {
    return read(source);
  } finally {
    source.close();
  }
}

const exported = (file: string): string =>
  reading(file, (source) => [...exportNdjson(source)].map((line) => `${line}\n`).join(''));

/** The verdict, byte for byte, but for the root: that is also over numbers which an import gives anew. */
const verdictOf = (file: string): string =>
  reading(file, (source) => {
    const { capture, ...rest } = verify(source, book);
    return JSON.stringify({ ...rest, capture: { ...capture, root: undefined } });
  });

/** Everything a verifier sees, with the places in the order of observation in place of their numbers. */
function seen(file: string): unknown {
  return reading(file, (source) => {
    const exchanges = [...source.exchanges()];
    const seqs = exchanges
      .flatMap(({ seq, request, response }) => [
        seq,
        ...[request.body, response?.body].flatMap((body) => body?.chunks.map((chunk) => chunk.seq) ?? []),
      ])
      .sort((a, b) => a - b);
    const rank = new Map(seqs.map((seq, index) => [seq, index]));
    const body = ({ chunks, ...rest }: CapturedBody): object => ({
      ...rest,
      chunks: chunks.map(({ seq, atNs, bytes }) => [
        rank.get(seq),
        atNs,
        Buffer.from(bytes).toString('base64'),
      ]),
    });
    return {
      participants: source.participants(),
      edges: source.edges(),
      gaps: source.gaps().toSorted((a, b) => a.atNs - b.atNs),
      notes: source.notes().map(({ seq: _, ...note }) => note),
      startedAt: source.info.startedAt,
      exchanges: exchanges.map(({ seq, request, response, ...rest }) => ({
        ...rest,
        at: rank.get(seq),
        request: { ...request, body: body(request.body) },
        response: response && { ...response, body: body(response.body) },
      })),
    };
  });
}

const ndjsonFixtures = ['', 'grpc', 'sdk'].flatMap((place) =>
  readdirSync(join(fixtures, place))
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => join(fixtures, place, name)),
);

describe('a round trip through NDJSON', () => {
  for (const [format, path] of [
    ...ndjsonFixtures.map((each) => ['ndjson', each] as const),
    ...['browser.har', 'mitmproxy.har'].map((name) => ['har', join(fixtures, 'foreign', name)] as const),
    ['mitmproxy', join(fixtures, 'foreign', 'mitmproxy-flows.mitm')] as const,
  ])
    it(`keeps the verdict on ${basename(path)}, byte for byte, and everything else`, async () => {
      const first = await imported(format, path);
      const second = await reimported(exported(first));
      expect(verdictOf(second)).toBe(verdictOf(first));
      expect(seen(second)).toEqual(seen(first));
    });

  it('keeps the verdict on each of the recorded cases', async () => {
    const cases = ['cases.jsonl', 'more-cases.jsonl', 'field-cases.jsonl'].flatMap((name) =>
      readFileSync(join(fixtures, name), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as { readonly id?: string; readonly exchange: unknown }),
    );
    expect(cases.length).toBeGreaterThan(20);
    for (const [index, { exchange }] of cases.entries()) {
      if (index % 8 !== 0) continue;
      const lines = (Array.isArray(exchange) ? exchange : [exchange]).map((each) => JSON.stringify(each));
      const first = await reimported(`${lines.join('\n')}\n`);
      const second = await reimported(exported(first));
      expect(verdictOf(second), `case ${index}`).toBe(verdictOf(first));
    }
  }, 60_000);

  it('keeps what only a recording has: cells, changes, times, overlaps, losses, secrets as tokens', async () => {
    const file = fresh();
    const sink = openCapture({ file, run: runId('run-1'), bodyCapBytes: 2000 });
    sink.record({ kind: 'participant', participant: { name: 'a', kind: 'harness', about: 'node 24' } });
    sink.record({ kind: 'participant', participant: { name: 'b', kind: 'agent' } });
    const edge = edgeId('a -> b');
    sink.record({
      kind: 'edge',
      edge: { id: edge, caller: 'a', callee: 'b', kind: 'a2a', mode: 'rewrite', upstream: 'http://b:1' },
    });
    const begin = (id: string, headers: readonly string[]): void =>
      sink.record({
        ...{ kind: 'request-head', exchange: exchangeId(id), edge, cell: cellId('cell-1'), purpose: 'probe' },
        ...{ method: 'POST', target: '/a2a?token=secret-in-target', httpVersion: '1.1', headers },
        forwardedHeaders: [...headers, 'Via', '1.1 plugfest'],
        changes: [{ side: 'request', place: 'header', where: 'Via', after: '1.1 plugfest', reason: 'via' }],
      });
    const chunk = (id: string, side: 'request' | 'response', text: string): void =>
      sink.record({ kind: 'chunk', exchange: exchangeId(id), side, bytes: Buffer.from(text) });
    const answer = (id: string, type: string): void =>
      sink.record({
        ...{
          kind: 'response-head',
          exchange: exchangeId(id),
          status: 200,
          reason: 'Fine',
          httpVersion: '2.0',
        },
        headers: ['content-type', type, 'x-b', '1', 'X-A', '2', 'x-b', '3', '7', 'seven'],
        changes: [{ side: 'response', place: 'header', where: 'x', before: 'y', reason: 'hop-by-hop' }],
      });
    begin('slow', ['Content-Type', 'application/json', 'Authorization', 'Bearer secret-of-the-caller']);
    chunk('slow', 'request', '{"token":"a-secret-that-is-long","n":');
    begin('quick', ['Content-Type', 'application/json', 'Cookie', 'a=secret-of-a-cookie']);
    answer('quick', 'text/event-stream');
    chunk('quick', 'response', 'data: {"a"');
    chunk('slow', 'request', '1}');
    sink.record({ kind: 'body-end', exchange: exchangeId('slow'), side: 'request' });
    answer('slow', 'application/json');
    chunk('quick', 'response', ':1}\n\n: ping\n\n');
    chunk('slow', 'response', 'x'.repeat(1500));
    chunk('slow', 'response', 'y'.repeat(1500));
    sink.record({ kind: 'body-end', exchange: exchangeId('slow'), side: 'response' });
    const change = {
      side: 'response',
      place: 'body',
      where: '/url',
      before: 'a',
      after: 'b',
      reason: 'card-url',
    };
    sink.record({ kind: 'change', exchange: exchangeId('slow'), change: change as never });
    sink.record({ kind: 'trailers', exchange: exchangeId('slow'), side: 'response', headers: ['A', 'b'] });
    sink.record({ kind: 'end', exchange: exchangeId('slow'), end: 'complete' });
    begin('unanswered', []);
    sink.record({ kind: 'end', exchange: exchangeId('unanswered'), end: 'timeout', detail: 'after 3 s' });
    begin('open', []);
    sink.record({ kind: 'gap', gap: { reason: 'queue-full', lostBytes: 7 } });
    sink.record({ kind: 'note', topic: 'cell', text: '{"id":"cell-1"}', cell: cellId('cell-1') });
    await sink.close();

    const text = exported(file);
    const back = await reimported(text);
    expect(seen(back)).toEqual(seen(file));
    expect(verdictOf(back)).toBe(verdictOf(file));
  });
});

describe('a line that Plugfest wrote', () => {
  const line = async (): Promise<{ _plugfest: Record<string, unknown>; [name: string]: unknown }> => {
    const file = await imported('har', join(fixtures, 'foreign', 'browser.har'));
    return JSON.parse(exported(file).split('\n')[0] ?? '');
  };
  const problem = async (value: unknown): Promise<string> => {
    try {
      await reimported(`${JSON.stringify(value)}\n`);
    } catch (error) {
      return isPlugfestError(error) ? error.message : String(error);
    }
    return 'none';
  };

  it('is refused where its body was edited, and taken without what it says of the old one', async () => {
    const own = await line();
    const edited = { ...own, response: { ...(own.response as object), body: { other: true } } };
    expect(await problem(edited)).toMatch(/text:1: the response body has 14 bytes, but _plugfest speaks of/);
    const { _plugfest: _, ...without } = edited;
    expect(await problem(without)).toBe('none');
  });

  it('is refused by the name of the member that is malformed', async () => {
    const own = await line();
    const wrong: readonly (readonly [string, unknown, RegExp])[] = [
      ['seq', 'x', /_plugfest\.seq must be a whole number/],
      ['edge', 7, /_plugfest\.edge must be an object/],
      [
        'edge',
        { ...(own._plugfest.edge as object), mode: 'x' },
        /_plugfest\.edge\.mode must be one of alias/,
      ],
      ['request', { ...(own._plugfest.request as object), pieces: [[1]] }, /pieces\[0\] must be three whole/],
      [
        'request',
        { ...(own._plugfest.request as object), headers: ['a'] },
        /headers must be names and values/,
      ],
      ['changes', [{ side: 'x' }], /_plugfest\.changes\[0\]\.side must be one of/],
      ['end', { kind: 'x' }, /_plugfest\.end\.kind must be one of/],
      ['gaps', {}, /_plugfest\.gaps must be an array/],
    ];
    for (const [name, value, says] of wrong)
      expect(await problem({ ...own, _plugfest: { ...own._plugfest, [name]: value } })).toMatch(says);
  });
});
