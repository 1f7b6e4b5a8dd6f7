import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DecodedExchange, decodeExchange } from '@plugfest/a2a';
import {
  capturedFromNdjson,
  exportNdjson,
  importNdjson,
  openCapture,
  openCaptureSource,
} from '@plugfest/capture';
import { type CapturedExchange, runId } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { judge } from './judging.ts';

function recorded(file: string) {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/grpc', file), 'utf8');
  const lines = text.trim().split('\n');
  const captured = capturedFromNdjson(lines.map((line) => JSON.parse(line)));
  return { lines, captured, decoded: captured.map((exchange) => decodeExchange(exchange)) };
}

/** HTTP/2 bytes on their way from the client of a2a-sdk 1.3.0 for Python to the agents of two SDKs, in both packages. */
const recordings = {
  'the Python SDK': recorded('a2a-python-1.3.0.ndjson'),
  'the JS SDK': recorded('a2a-js-1.3.0.ndjson'),
};
const { lines, captured, decoded } = recordings['the Python SDK'];

const of = (version: string, operation: string): readonly DecodedExchange[] =>
  decoded.filter((exchange) => exchange.dialect?.version === version && exchange.operation === operation);

describe.each(Object.entries(recordings))('gRPC traffic of %s', (_, traffic) => {
  it('is read to the last message', () => {
    for (const { request, response, wireMethod } of traffic.decoded) {
      const bodies = [request.json, response?.json, ...(response?.events ?? []).map(({ json }) => json)];
      for (const body of bodies) {
        expect(['ok', 'absent'], `${wireMethod}: ${body?.problem}`).toContain(body?.state);
        expect(body).not.toHaveProperty('unknownFields');
      }
    }
    // Those that end without a status are streams that the client gave up.
    const open = traffic.decoded.filter(({ response }) => response?.complete !== true);
    expect(open.map(({ captured: { end } }) => end.kind)).toEqual(['client-abort', 'client-abort']);
  });

  it('keeps the rules of the gRPC binding', () => {
    const { findings, rules } = judge(traffic.captured);
    const ours = findings.filter(({ rule, outcome }) => rule.startsWith('GRPC-') && outcome !== 'info');
    expect(ours).toEqual([]);
    expect([...rules.values()].filter(({ error }) => error !== undefined)).toEqual([]);
    // The agents refuse with the error of 1.0 also where 0.3 wants the task.
    const refused = findings.filter(({ rule }) => rule === 'SUB-009');
    expect(refused.map(({ party, message }) => `${party}: ${message}`)).toEqual([
      'server: The task is finished, and the agent refuses the subscription with FAILED_PRECONDITION',
    ]);
  });
});

describe('gRPC traffic of the Python SDK', () => {
  it('has tasks, messages, updates and parts of every sort', () => {
    for (const version of ['0.3', '1.0']) {
      const [stream] = of(version, 'SendStreamingMessage');
      expect(stream?.payloads.map(({ kind }) => kind)).toEqual([
        ...['message', 'task', 'statusUpdate', 'artifactUpdate', 'statusUpdate'],
      ]);
      const update = stream?.payloads.find(({ kind }) => kind === 'artifactUpdate');
      const parts = update?.kind === 'artifactUpdate' ? update.update.artifact?.parts : undefined;
      expect(parts?.map(({ kind, text }) => text ?? kind)).toEqual(['done Ünï', 'data', 'raw']);
    }
    const [all, none] = of('1.0', 'ListTasks');
    expect(all?.response?.result).toMatchObject({ pageSize: 50, nextPageToken: '' });
    expect(none?.response?.result).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
    expect(of('1.0', 'GetExtendedAgentCard')[0]?.payloads).toMatchObject([
      { kind: 'card', card: { name: 'n' } },
    ]);
  });

  it('has errors with their reasons', () => {
    const errors = decoded.flatMap(({ dialect, operation, response }) =>
      response?.error === undefined || dialect?.version !== '1.0'
        ? []
        : [`${operation} ${response.grpcStatus?.name} ${response.error.errorInfo?.reason}`],
    );
    expect(errors).toEqual([
      'CancelTask FAILED_PRECONDITION TASK_NOT_CANCELABLE',
      'GetTask NOT_FOUND TASK_NOT_FOUND',
      'SendMessage INVALID_ARGUMENT INVALID_PARAMS',
      'SubscribeToTask FAILED_PRECONDITION UNSUPPORTED_OPERATION',
    ]);
  });

  it('is read from a file too, where secrets were taken out of its messages', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grpc-'));
    const sink = openCapture({ file: join(folder, 'capture.sqlite'), run: runId('run') });
    await importNdjson(lines, sink, { file: 'grpc.ndjson' });
    await sink.close();
    const source = openCaptureSource(sink.file);
    const stored: readonly CapturedExchange[] = [...source.exchanges()];
    const again = capturedFromNdjson([...exportNdjson(source)].map((line) => JSON.parse(line)));
    source.close();
    rmSync(folder, { recursive: true });

    const tokens = new Set<unknown>();
    const known = (exchange: DecodedExchange): readonly unknown[] =>
      JSON.parse(
        JSON.stringify([
          exchange.request.json.value ?? null,
          exchange.response?.json.value ?? null,
          exchange.response?.events?.map(({ json }) => json.value ?? null) ?? null,
          exchange.response?.error ?? null,
        ]),
        (name, value: unknown) => {
          if (name === 'text' || name !== 'token') return value;
          tokens.add(value);
          return 'secret';
        },
      );
    const read = (exchanges: readonly CapturedExchange[]) =>
      exchanges.map((exchange) => known(decodeExchange(exchange)));
    const plain = read(captured);
    expect([...tokens]).toEqual(['tok-secret']);
    expect(read(stored)).toEqual(plain);
    expect(tokens.size).toBe(2);
    expect([...tokens][1]).toMatch(/^‹hmac:/);
    expect(read(again)).toEqual(plain);
  });
});
