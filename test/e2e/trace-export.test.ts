import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labFile } from './lab-file.ts';
import { bodyOf, deadOrigin, LocalServer } from './local-server.ts';
import { errorLines, stackFrames } from './no-stack-trace.ts';
import { plugfest } from './plugfest.ts';
import { readReport, runFiles } from './run-files.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type ExportTraceServiceRequest, spansOf, traceRequests } from './trace-file.ts';

const folder = temporaryFolder();
const lab = labFile(
  folder,
  `
name: small
scenarios: [send-blocking]
agents:
  amber: { kind: js, protocol: "1.0" }
  birch: { kind: js, protocol: "1.0" }
`,
);

describe('a run with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('sends the spans of its trace file to the collector', async () => {
    const received: ExportTraceServiceRequest[] = [];
    const paths = new Set<string>();
    await using collector = await LocalServer.start(async (request, response) => {
      paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`);
      received.push(JSON.parse(await bodyOf(request)) as ExportTraceServiceRequest);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{}');
    });
    const out = join(folder, 'sent');
    const run = await plugfest(['run', lab, '--out', out], {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin },
    });
    expect({ code: run.code, errors: errorLines(run.stderr) }).toEqual({
      code: readReport(out).exitCode,
      errors: [],
    });
    expect(paths).toEqual(new Set(['POST /v1/traces application/json']));
    const ids = (requests: readonly ExportTraceServiceRequest[]): readonly string[] =>
      spansOf(requests)
        .map(({ traceId, spanId }) => `${traceId}/${spanId}`)
        .sort();
    expect(ids(received).length).toBeGreaterThan(0);
    expect(ids(received)).toEqual(ids(traceRequests(join(out, 'traces.otlp.jsonl'))));
  });

  it('that leads nowhere writes all its files, says so, and ends with 3', async () => {
    const out = join(folder, 'unsent');
    const endpoint = await deadOrigin();
    const run = await plugfest(['run', lab, '--out', out], {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '2000' },
    });
    expect(run.code).toBe(3);
    expect(stackFrames(run.stderr)).toEqual([]);
    expect(errorLines(run.stderr)[0]).toContain(`Traces could not be sent to ${endpoint}/v1/traces`);
    expect(readdirSync(out).sort()).toEqual(runFiles);
    expect(readReport(out).cells.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(spansOf(traceRequests(join(out, 'traces.otlp.jsonl'))).length).toBeGreaterThan(0);
  });
});
