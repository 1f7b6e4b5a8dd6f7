import { cellId, exchangeId, runId, spanIdOf, traceIdOf, traceparentOf } from '@plugfest/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linkHops } from './link-hops.ts';
import { projectSpans } from './project-spans.ts';
import { id, run, Traffic } from './testing/traffic.ts';

const names = ['harness', 'travel', 'hotel', 'bank'] as const;
const operations = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
] as const;
const ids = (prefix: string) =>
  fc.array(
    fc.nat(3).map((n) => (n === 0 ? `${prefix}-${String(n)}` : id(`${prefix}-${String(n)}`))),
    { maxLength: 2 },
  );

/** Anything that a recorder may have seen, also what no agent would send. */
const exchange = fc.record({
  caller: fc.constantFrom(...names),
  callee: fc.constantFrom(...names),
  kind: fc.constantFrom('operation', 'operation', 'operation', 'webhook', 'card', 'other'),
  operation: fc.constantFrom(...operations),
  cell: fc.constantFrom(undefined, cellId('one'), cellId('two')),
  from: fc.nat(50),
  lasts: fc.nat(40),
  end: fc.constantFrom('complete', 'open', 'client-abort'),
  state: fc.constantFrom(undefined, 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'),
  taskIds: ids('task'),
  contextIds: ids('context'),
  messageIds: ids('message'),
  referenceTaskIds: ids('task'),
  pushUrls: ids('http://hook.example/'),
  partDigests: ids('text'),
  /** Names the span of some exchange, earlier or later, of this run or of another. */
  context: fc.option(fc.record({ exchange: fc.nat(30), ours: fc.boolean(), foreignSpan: fc.boolean() })),
} as const);

function trafficOf(drafts: readonly (typeof exchange extends fc.Arbitrary<infer T> ? T : never)[]): Traffic {
  const traffic = new Traffic();
  for (const { caller, callee, lasts, context, cell, state, kind, ...draft } of drafts) {
    const namedRun = context?.ours === false ? runId('another-run') : run;
    const named = exchangeId(`x${String(context?.exchange)}`);
    traffic.call(caller, callee, {
      ...draft,
      kind,
      edgeKind: kind === 'webhook' ? 'webhook' : 'a2a',
      to: draft.from + lasts,
      ...(cell === undefined ? {} : { cell }),
      ...(state === undefined ? {} : { state }),
      ...(context === null
        ? {}
        : {
            traceparent: traceparentOf(
              traceIdOf(namedRun, cell),
              context.foreignSpan ? 'abcdefabcdefabcd' : spanIdOf(namedRun, named, 'client'),
            ),
          }),
    });
  }
  return traffic;
}

const traffics = fc.array(exchange, { maxLength: 30 }).map(trafficOf);

it('never links to an exchange that started later, or to one of another run', () => {
  fc.assert(
    fc.property(traffics, (traffic) => {
      const byId = new Map(traffic.summaries.map((summary) => [summary.id, summary]));
      for (const link of traffic.links()) {
        const hop = byId.get(link.exchange);
        for (const target of [link.parent, ...link.also.map((each) => each.exchange)]) {
          if (target === undefined) continue;
          const cause = byId.get(target);
          expect(cause).toBeDefined();
          expect(target).not.toBe(link.exchange);
          expect(cause?.startNs).toBeLessThanOrEqual(hop?.startNs ?? -1);
        }
      }
    }),
    { numRuns: 500 },
  );
});

it('has a parent or the method none, never both or neither; and links each hop at most once', () => {
  fc.assert(
    fc.property(traffics, (traffic) => {
      const links = traffic.links();
      expect(new Set(links.map((link) => link.exchange)).size).toBe(links.length);
      for (const { method, parent, confidence } of links) {
        expect(method === 'none').toBe(parent === undefined);
        expect(confidence > 0).toBe(parent !== undefined);
      }
    }),
    { numRuns: 500 },
  );
});

it('makes spans whose parents form a forest: one tree per trace, its root the span of a cell', () => {
  fc.assert(
    fc.property(traffics, (traffic) => {
      const spans = projectSpans({ run, anchorMs: 0, summaries: traffic.summaries, links: traffic.links() });
      expect(spans.filter(({ kind }) => kind === 'server')).toHaveLength(traffic.summaries.length);
      const bySpan = new Map(spans.map((span) => [span.spanId, span]));
      expect(bySpan.size).toBe(spans.length);
      for (const span of spans) {
        let top = span;
        for (let steps = 0; top.parentSpanId !== undefined; steps++) {
          expect(steps).toBeLessThanOrEqual(spans.length);
          const parent = bySpan.get(top.parentSpanId);
          expect(parent?.traceId).toBe(span.traceId);
          if (parent === undefined) break;
          top = parent;
        }
        expect(top.kind).toBe('internal');
      }
      expect(spans.filter(({ kind }) => kind === 'internal').length).toBe(
        new Set(spans.map((s) => s.traceId)).size,
      );
    }),
    { numRuns: 500 },
  );
});

it('says the same of the same traffic, in whatever order it is handed over', () => {
  fc.assert(
    fc.property(traffics, (traffic) => {
      const reversed = linkHops({
        run,
        participants: traffic.participants,
        summaries: traffic.summaries.toReversed(),
      });
      expect(reversed).toEqual(traffic.links());
    }),
    { numRuns: 200 },
  );
});
