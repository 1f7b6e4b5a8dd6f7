import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileSink, importNdjson, openCapture, openCaptureSource } from '@plugfest/capture';
import type { CapturedExchange } from '@plugfest/model';
import { exchangeId, runId } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { type Results, verify } from '@plugfest/verifier';
import { type ExampleExchange, getCard, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { analyse, type Pass } from '../analysis.ts';
import { LiveVerification } from './live-verification.ts';
import { verifyCapture } from './verify-capture.ts';

const book = await loadRulebook();
let folder: string;
let file: string;
let sink: FileSink;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'verification-'));
  file = join(folder, 'capture.sqlite');
  sink = openCapture({ file, run: runId('run-1') });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const wrong = rpc({ method: 'GetTask', params: { id: 'task-1' }, responseId: 7, result: v1.task('WORKING') });
const stream = (end: 'closed' | 'open') =>
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [{ task: v1.task('WORKING') }],
    end,
  });

async function record(...exchanges: readonly ExampleExchange[]): Promise<void> {
  await importNdjson(
    exchanges.map((exchange) => JSON.stringify(exchange)),
    sink,
    { file: 'test' },
  );
  await sink.flush();
}

const json = (value: unknown): string => JSON.stringify(value);

describe('two threads', () => {
  it('give the verdict of one', async () => {
    await record(getCard(v1.card()), stream('closed'), get, wrong, get);
    await sink.close();
    const source = openCaptureSource(file);
    const verdicts = [1, 2].map((threads) => verifyCapture({ file, source, threads }, book));
    const [one, two] = await Promise.all(verdicts);
    source.close();
    expect(one?.summary.fail).toBeGreaterThan(0);
    expect(json(two)).toBe(json(one));
  });

  it('are not used where somebody still writes', async () => {
    await record(get);
    const source = openCaptureSource(file);
    const verdict = await verifyCapture({ file, source, threads: 2 }, book);
    source.close();
    await sink.close();
    expect(verdict.capture.exchanges).toBe(1);
  });

  it('are content with an empty capture', async () => {
    await sink.close();
    const source = openCaptureSource(file);
    const verdict = await verifyCapture({ file, source, threads: 2 }, book);
    source.close();
    expect(verdict).toMatchObject({ capture: { exchanges: 0 }, summary: { fail: 0, pass: 0, error: 0 } });
  });
});

describe('live verification', () => {
  /** Each step does as much as fits into a moment, which may be one exchange. */
  const catchUp = (live: LiveVerification): void => {
    for (let i = 0; i < 8; i += 1) live.step();
  };
  /** What a pass has judged. */
  const judged = (pass: Pass | undefined) => pass?.exchanges.map(({ label }) => label);
  const whole = (begun: Pass | undefined) => {
    const source = openCaptureSource(file);
    const [live, offline] = [analyse(source, book, begun), verify(source, book)];
    source.close();
    return { live, offline };
  };

  it('judges what has ended, once, and ends with the verdict of verify', async () => {
    const seen: Results[] = [];
    const live = new LiveVerification(file, book, { onFindings: (results) => seen.push(results) });
    await record(getCard(v1.card()), get);
    catchUp(live);
    expect(seen.flatMap(({ findings }) => findings.filter(({ outcome }) => outcome === 'fail'))).toEqual([]);
    await recordMore(wrong);
    catchUp(live);
    expect(seen.at(-1)?.findings.map(({ outcome }) => outcome)).toContain('fail');
    const begun = live.stop();
    expect(judged(begun)).toEqual(['agent card', 'GetTask', 'GetTask']);
    await recordMore(get);
    await sink.close();
    const { live: result, offline } = whole(begun);
    expect(json(result.verdict)).toBe(json(offline));
    expect(result.exchanges).toHaveLength(4);
    expect(begun?.verification.exchanges).toBe(4);
  });

  it('waits for a stream that is open, and for no end of it once the recording has ended', async () => {
    const live = new LiveVerification(file, book);
    await record(get, stream('open'), get);
    catchUp(live);
    const begun = live.stop();
    expect(judged(begun)).toEqual(['GetTask']);
    await sink.close();
    const { live: result, offline } = whole(begun);
    expect(json(result.verdict)).toBe(json(offline));
  });

  it('begins anew where the capture turns out to have lost something', async () => {
    const live = new LiveVerification(file, book);
    await record(get, get);
    catchUp(live);
    const begun = live.stop();
    sink.record({ kind: 'gap', gap: { reason: 'queue-full' } });
    await sink.close();
    const { live: result, offline } = whole(begun);
    expect(offline.capture.gaps).toBe(1);
    expect(json(result.verdict)).toBe(json(offline));
    expect(begun?.verification.exchanges).toBe(2);
  });

  it('leaves a capture that it cannot read to the end', () => {
    const live = new LiveVerification(join(folder, 'none.sqlite'), book);
    live.step();
    expect(live.stop()).toBeUndefined();
  });
});

/** Further exchanges of one recorder; the importer would give them the ids of the first. */
async function recordMore(exchange: ExampleExchange): Promise<void> {
  const id = exchangeId(`later-${Math.random()}`);
  const edge: CapturedExchange['edge']['id'] = 'client -> agent' as CapturedExchange['edge']['id'];
  const { request, response } = exchange as Extract<ExampleExchange, { request: unknown }>;
  const fields = (headers: Readonly<Record<string, string>>) => Object.entries(headers).flat();
  sink.record({
    kind: 'request-head',
    exchange: id,
    edge,
    method: request.method,
    target: request.url,
    httpVersion: '1.1',
    headers: fields(request.headers as Readonly<Record<string, string>>),
  });
  sink.record({ kind: 'chunk', exchange: id, side: 'request', bytes: Buffer.from(json(request.body)) });
  sink.record({ kind: 'body-end', exchange: id, side: 'request' });
  sink.record({
    kind: 'response-head',
    exchange: id,
    status: response?.status ?? 200,
    httpVersion: '1.1',
    headers: fields((response?.headers ?? {}) as Readonly<Record<string, string>>),
  });
  sink.record({ kind: 'chunk', exchange: id, side: 'response', bytes: Buffer.from(json(response?.body)) });
  sink.record({ kind: 'body-end', exchange: id, side: 'response' });
  sink.record({ kind: 'end', exchange: id, end: 'complete' });
  await sink.flush();
}
