import { memoryCapture } from '@plugfest/capture';
import { type CaptureEvent, cellId, edgeId, exchangeId, runId } from '@plugfest/model';
import { expect, it } from 'vitest';
import { EdgeTraffic } from './edge-traffic.ts';

const cell = cellId('a>b/JSONRPC/1.0/asked');
const edge = (id: string, caller: string, callee: string): CaptureEvent => ({
  kind: 'edge',
  edge: { id: edgeId(id), caller, callee, kind: 'a2a', mode: 'rewrite', upstream: 'http://127.0.0.1:9' },
});
let exchanges = 0;
const head = (id: string, method: string, of = cell): CaptureEvent => {
  exchanges += 1;
  return {
    kind: 'request-head',
    exchange: exchangeId(`x${exchanges}`),
    edge: edgeId(id),
    cell: of,
    method,
    target: '/rpc',
    httpVersion: '1.1',
    headers: [],
  };
};

it('counts the calls of an edge in a cell, not its cards, and passes everything on', async () => {
  const traffic = new EdgeTraffic();
  const capture = memoryCapture(runId('run-1'));
  const sink = traffic.watching(capture);
  for (const event of [edge('e1', 'a', 'b'), edge('e2', 'plugfest', 'b')]) sink.record(event);
  for (const event of [head('e1', 'GET'), head('e1', 'POST'), head('e1', 'POST'), head('e2', 'POST')])
    sink.record(event);
  sink.record(head('e1', 'POST', cellId('a>b/JSONRPC/1.0/other')));
  expect(traffic.calls('a', 'b', cell)).toBe(2);
  expect(traffic.calls('plugfest', 'b', cell)).toBe(1);
  expect(traffic.calls('b', 'a', cell)).toBe(0);
  expect([...capture.source().exchanges()]).toHaveLength(5);
});
