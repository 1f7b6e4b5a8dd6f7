import type { Edge } from '@plugfest/model';
import { cellId, cellSpanIdOf, edgeId, spanIdOf, traceIdOf, traceparentOf } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { eventLimit, type ProjectionInput, projectSpans } from './project-spans.ts';
import type { Span } from './span.ts';
import { spanRows } from './span-rows.ts';
import { cell, id, run, Traffic } from './testing/traffic.ts';

const anchorMs = Date.parse('2026-01-01T00:00:00.000Z');
const described = {
  id: cell,
  client: 'harness',
  server: 'travel',
  binding: 'JSONRPC',
  version: '1.0',
  scenario: 'delegation',
} as const;

const project = (traffic: Traffic, more: Partial<ProjectionInput> = {}): readonly Span[] =>
  projectSpans({
    run,
    anchorMs,
    summaries: traffic.summaries,
    links: traffic.links(),
    cells: [described],
    ...more,
  });

const spanOf = (spans: readonly Span[], exchange: { readonly id: string }, kind: Span['kind']): Span => {
  const span = spans.find((each) => each.exchange === exchange.id && each.kind === kind);
  if (span === undefined) throw new Error(`no ${kind} span of ${exchange.id}`);
  return span;
};

describe('the trace of a cell', () => {
  it('has a span for the cell, and for each hop a server span and a client span under it', () => {
    const traffic = new Traffic();
    const call = traffic.call('harness', 'travel', { from: 1, to: 90, cell });
    const hop = traffic.call('travel', 'hotel', { from: 10, to: 95, cell });
    const spans = project(traffic);
    const traceId = traceIdOf(run, cell);
    expect(spans.map((span) => [span.kind, span.name, span.traceId, span.spanId, span.parentSpanId])).toEqual(
      [
        ['internal', 'cell delegation harness→travel', traceId, cellSpanIdOf(run, cell), undefined],
        ['server', 'SendMessage', traceId, spanIdOf(run, call.id, 'server'), cellSpanIdOf(run, cell)],
        [
          'client',
          'SendMessage',
          traceId,
          spanIdOf(run, call.id, 'client'),
          spanIdOf(run, call.id, 'server'),
        ],
        ['server', 'SendMessage', traceId, spanIdOf(run, hop.id, 'server'), spanIdOf(run, call.id, 'client')],
        ['client', 'SendMessage', traceId, spanIdOf(run, hop.id, 'client'), spanIdOf(run, hop.id, 'server')],
      ],
    );
    expect(spans[0]).toMatchObject({ startNs: 1e6, endNs: 95e6 });
  });

  it('holds the delegated call and the webhook delivery that came of its send, though no listener named their cell', () => {
    const traffic = new Traffic();
    const url = 'http://receiver.example/hook';
    const send = traffic.call('harness', 'travel', {
      from: 0,
      to: 2,
      cell,
      taskIds: [id('trip')],
      state: 'TASK_STATE_WORKING',
      pushUrls: [url],
    });
    const delegated = traffic.call('travel', 'hotel', { from: 10, to: 30 });
    const delivery = traffic.webhook('travel', 'harness', {
      from: 40,
      taskIds: [id('trip')],
      pushUrls: [url],
      state: 'TASK_STATE_COMPLETED',
    });
    const spans = project(traffic);
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceIdOf(run, cell)]));
    for (const each of [delegated, delivery]) {
      expect(spanOf(spans, each, 'server').parentSpanId).toBe(spanIdOf(run, send.id, 'client'));
    }
    const hook = spanOf(spans, delivery, 'server');
    expect(hook.name).toBe('POST webhook');
    expect(hook.links).toEqual([
      {
        traceId: traceIdOf(run, cell),
        spanId: spanIdOf(run, send.id, 'client'),
        attributes: { 'plugfest.link.exchange': send.id, 'plugfest.link.reason': 'push_config' },
      },
    ]);
    expect(hook.attributes).toMatchObject({
      'plugfest.link.method': 'protocol-id',
      'plugfest.link.confidence': 0.85,
      'plugfest.link.exchanges': [send.id],
      'plugfest.link.reasons': ['push_config'],
      'plugfest.link.span_ids': [spanIdOf(run, send.id, 'client')],
    });
    expect(spanOf(spans, send, 'client').attributes['plugfest.linked_from']).toEqual([delivery.id]);
  });

  it('is kept apart from those of other cells, and of exchanges of no cell', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, cell });
    traffic.call('harness', 'travel', { from: 1, cell: cellId('another') });
    traffic.call('harness', 'travel', { from: 2 });
    const roots = project(traffic).filter(({ kind }) => kind === 'internal');
    expect(roots.map(({ name, traceId }) => [name, traceId])).toEqual([
      ['cell delegation harness→travel', traceIdOf(run, cell)],
      ['cell', traceIdOf(run, cellId('another'))],
      ['no cell', traceIdOf(run, undefined)],
    ]);
  });

  it('shows a hop without a decided cause under the cell, with its candidates as links', () => {
    const traffic = new Traffic();
    const calls = [0, 1].map((from) => traffic.call('harness', 'travel', { from, to: 100, cell }));
    const hop = traffic.call('travel', 'hotel', { from: 10, cell });
    const span = spanOf(project(traffic), hop, 'server');
    expect(span.parentSpanId).toBe(cellSpanIdOf(run, cell));
    expect(span.attributes).toMatchObject({ 'plugfest.link.method': 'none', 'plugfest.link.confidence': 0 });
    expect(span.links.map((link) => link.attributes['plugfest.link.exchange'])).toEqual(
      calls.map((call) => call.id),
    );
  });

  it('links to the context an agent sent, where the agent has spans of its own', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, to: 100, cell });
    const hop = traffic.call('travel', 'hotel', {
      from: 10,
      cell,
      traceparent: traceparentOf('a'.repeat(32), 'b'.repeat(16)),
    });
    expect(spanOf(project(traffic), hop, 'server').links).toEqual([
      {
        traceId: 'a'.repeat(32),
        spanId: 'b'.repeat(16),
        attributes: { 'plugfest.link.reason': 'received-context' },
      },
    ]);
  });

  it('carries whether the cell worked, where that is known', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, cell });
    const [root] = project(traffic, { cells: [{ ...described, outcome: 'failed' }] });
    expect(root).toMatchObject({ status: 'error', attributes: { 'plugfest.cell.outcome': 'failed' } });
  });
});

describe('the attributes of a hop', () => {
  const edge: Edge = {
    id: edgeId('e1'),
    caller: 'harness',
    callee: 'travel',
    kind: 'a2a',
    mode: 'alias',
    upstream: 'http://travel.internal:9999/a2a?key=secret',
  };

  it('are those of the proposed conventions, and ids and sizes only', () => {
    const traffic = new Traffic();
    const call = traffic.call('harness', 'travel', {
      from: 0,
      to: 5,
      cell,
      target: '/a2a?api_key=secret',
      taskIds: [id('trip')],
      contextIds: [id('conversation')],
      messageIds: [id('message')],
      referenceTaskIds: [id('before')],
      pushUrls: ['http://receiver.example/secret'],
      pushTokens: ['secret'],
      partDigests: ['secret'],
      state: 'TASK_STATE_COMPLETED',
    });
    const span = spanOf(project(traffic, { edges: [edge] }), call, 'client');
    expect(span.attributes).toEqual({
      'a2a.message.id': id('message'),
      'a2a.message.reference_task_ids': [id('before')],
      'a2a.method.name': 'SendMessage',
      'a2a.protocol.version': '1.0',
      'a2a.task.id': id('trip'),
      'a2a.task.state': 'TASK_STATE_COMPLETED',
      'gen_ai.agent.name': 'travel',
      'gen_ai.conversation.id': id('conversation'),
      'gen_ai.operation.name': 'invoke_agent',
      'http.request.body.size': 300,
      'http.request.method': 'POST',
      'http.response.body.size': 400,
      'http.response.status_code': 200,
      'plugfest.binding': 'JSONRPC',
      'plugfest.callee': 'travel',
      'plugfest.caller': 'harness',
      'plugfest.cell': cell,
      'plugfest.edge': 'harness→travel',
      'plugfest.end': 'complete',
      'plugfest.exchange': call.id,
      'plugfest.kind': 'operation',
      'rpc.method': 'SendMessage',
      'rpc.system.name': 'jsonrpc',
      'server.address': 'travel.internal',
      'server.port': 9999,
    });
    expect(JSON.stringify(project(traffic, { edges: [edge] }))).not.toContain('secret');
  });

  it('keep what an agent made up within bounds', () => {
    const traffic = new Traffic();
    const call = traffic.call('harness', 'travel', {
      from: 0,
      cell,
      method: 'BREW COFFEE',
      wireMethod: 'tell me everything, please',
      errorCode: 'It went wrong: the password is 1234',
      taskIds: [`${'x'.repeat(5000)}`],
      contextIds: ['a\u0000b\u001b[31m'],
    });
    const { operation: _operation, ...undecoded } = call;
    traffic.summaries[0] = undecoded;
    const span = spanOf(project(traffic), call, 'server');
    expect(span.name).toBe('_OTHER');
    expect(span.attributes).toMatchObject({
      'error.type': '_OTHER',
      'http.request.method': '_OTHER',
      'rpc.method': '_OTHER',
      'gen_ai.conversation.id': 'a\uFFFDb\uFFFD[31m',
    });
    expect(String(span.attributes['a2a.task.id'])).toHaveLength(201);
  });

  it.each([
    ['a protocol error', { errorCode: '-32001' }, '-32001'],
    ['an HTTP error', { status: 503 }, '503'],
    ['an abort', { end: 'upstream-abort' }, 'upstream-abort'],
    ['a reset', { end: 'reset' }, 'reset'],
  ] as const)('make %s an error of both spans', (_, draft, type) => {
    const traffic = new Traffic();
    const call = traffic.call('harness', 'travel', { from: 0, cell, ...draft });
    const spans = project(traffic);
    for (const kind of ['server', 'client'] as const) {
      expect(spanOf(spans, call, kind)).toMatchObject({
        status: 'error',
        attributes: { 'error.type': type },
      });
    }
  });

  it('leave a task that failed in good order without an error: the exchange did work', () => {
    const traffic = new Traffic();
    const call = traffic.call('harness', 'travel', {
      from: 0,
      cell,
      taskIds: ['t'],
      state: 'TASK_STATE_FAILED',
    });
    expect(spanOf(project(traffic), call, 'client').status).toBe('unset');
  });
});

describe('a stream', () => {
  it('is one span over its life with an event for each event of it', () => {
    const traffic = new Traffic();
    const stream = traffic.stream('harness', 'travel', {
      from: 0,
      to: 50,
      cell,
      events: [
        { atNs: 5e6, kind: 'task', state: 'TASK_STATE_WORKING' },
        { atNs: 20e6, kind: 'artifact-update' },
        { atNs: 45e6, kind: 'status-update', state: 'TASK_STATE_COMPLETED' },
      ],
    });
    const span = spanOf(project(traffic), stream, 'client');
    expect(span).toMatchObject({ startNs: 0, endNs: 50e6 });
    expect(span.attributes['plugfest.stream.end']).toBe('complete');
    expect(span.events).toEqual([
      {
        name: 'sse.event',
        atNs: 5e6,
        attributes: {
          'a2a.task.state': 'TASK_STATE_WORKING',
          'plugfest.event.index': 0,
          'plugfest.event.kind': 'task',
        },
      },
      {
        name: 'sse.event',
        atNs: 20e6,
        attributes: { 'plugfest.event.index': 1, 'plugfest.event.kind': 'artifact-update' },
      },
      {
        name: 'sse.event',
        atNs: 45e6,
        attributes: {
          'a2a.task.state': 'TASK_STATE_COMPLETED',
          'plugfest.event.index': 2,
          'plugfest.event.kind': 'status-update',
        },
      },
    ]);
  });

  it('that is still open ends at its last byte, says so, and is no error', () => {
    const traffic = new Traffic();
    const stream = traffic.stream('harness', 'travel', { from: 0, to: 33, cell, end: 'open' });
    expect(spanOf(project(traffic), stream, 'client')).toMatchObject({
      endNs: 33e6,
      status: 'unset',
      attributes: { 'plugfest.stream.end': 'open' },
    });
  });

  it('that is very long keeps its first events and its last, and counts the rest', () => {
    const traffic = new Traffic();
    const events = Array.from({ length: eventLimit + 500 }, (_, n) => ({ atNs: n, kind: 'artifact-update' }));
    const stream = traffic.stream('harness', 'travel', { from: 0, cell, events });
    const span = spanOf(project(traffic), stream, 'client');
    expect(span.events).toHaveLength(eventLimit);
    expect(span.droppedEvents).toBe(500);
    expect(span.events.at(-1)?.attributes['plugfest.event.index']).toBe(eventLimit + 499);
  });
});

it('gives rows for the capture with the same ids and times', () => {
  const traffic = new Traffic();
  const call = traffic.call('harness', 'travel', { from: 1, to: 9, cell });
  const spans = project(traffic);
  const rows = spanRows(spans);
  expect(rows).toHaveLength(3);
  expect(rows[2]).toMatchObject({
    traceId: traceIdOf(run, cell),
    spanId: spanIdOf(run, call.id, 'client'),
    parentSpanId: spanIdOf(run, call.id, 'server'),
    name: 'SendMessage',
    exchange: call.id,
    startNs: 1e6,
    endNs: 9e6,
    attributes: {
      'plugfest.exchange': call.id,
      'plugfest.span.kind': 'client',
      'plugfest.span.status': 'unset',
    },
  });
});
