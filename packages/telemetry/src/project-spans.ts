import type {
  Cell,
  CellId,
  CellResult,
  Edge,
  ExchangeId,
  ExchangeSummary,
  HopLink,
  RunId,
} from '@plugfest/model';
import { cellSpanIdOf, parseTraceparent, spanIdOf, traceIdOf } from '@plugfest/model';
import { compact, errorType, hopAttributes, isStream, safeToken, spanName } from './attributes.ts';
import type { Span, SpanEvent, SpanLink } from './span.ts';

export interface ProjectionInput {
  readonly run: RunId;
  /** Wall-clock time of the run's clock anchor, milliseconds since the epoch. */
  readonly anchorMs: number;
  /** In order of observation. */
  readonly summaries: readonly ExchangeSummary[];
  readonly links: readonly HopLink[];
  /** Names the cells; results say also whether they worked. */
  readonly cells?: readonly (Cell & Partial<Pick<CellResult, 'outcome'>>)[];
  /** For the addresses of callees. */
  readonly edges?: readonly Edge[];
}

/** A stream keeps this many events, the last one among them. */
export const eventLimit = 1000;

interface Placed {
  readonly summary: ExchangeSummary;
  readonly link: HopLink | undefined;
  readonly traceId: string;
  readonly cell: CellId | undefined;
}

/**
 * Turns exchanges and their causes into spans: one trace per cell, in it one span for the cell and two for each
 * hop, server and client. A hop hangs on the client span of the hop that caused it, and so belongs to that one's
 * trace; a hop without a cause hangs on its cell. Same input, same spans, in the same order.
 */
export function projectSpans(input: ProjectionInput): readonly Span[] {
  const { run, anchorMs, summaries } = input;
  const placed = place(input);
  const edges = new Map(
    (input.edges ?? []).map((edge) => [edgeKey(edge.caller, edge.callee, edge.kind), edge]),
  );
  const backlinks = backlinksOf(input.links);
  const cells = new Map<string, { readonly cell: CellId | undefined; startNs: number; endNs: number }>();
  const hopsOf = new Map<string, Span[]>();

  for (const summary of summaries) {
    const at = placed.get(summary.id);
    if (at === undefined) continue;
    const { traceId, link } = at;
    const endNs = Math.max(summary.startNs, summary.endNs);
    const extent = cells.get(traceId);
    if (extent === undefined) cells.set(traceId, { cell: at.cell, startNs: summary.startNs, endNs });
    else {
      extent.startNs = Math.min(extent.startNs, summary.startNs);
      extent.endNs = Math.max(extent.endNs, endNs);
    }

    const serverId = spanIdOf(run, summary.id, 'server');
    const parent = link?.parent === undefined ? undefined : placed.get(link.parent);
    const shared = {
      traceId,
      name: spanName(summary),
      exchange: summary.id,
      anchorMs,
      startNs: summary.startNs,
      endNs,
      status: errorType(summary) === undefined ? ('unset' as const) : ('error' as const),
    };
    const attributes = hopAttributes(
      summary,
      edges.get(edgeKey(summary.caller, summary.callee, summary.edgeKind)),
    );
    const links = spanLinks(run, at, placed);
    const spans = hopsOf.get(traceId) ?? [];
    hopsOf.set(traceId, spans);
    spans.push({
      ...shared,
      spanId: serverId,
      parentSpanId:
        parent === undefined ? cellSpanIdOf(run, at.cell) : spanIdOf(run, parent.summary.id, 'client'),
      kind: 'server',
      attributes: compact({ ...attributes, ...linkAttributes(link, links) }),
      events: [],
      droppedEvents: 0,
      links,
    });
    const events = isStream(summary) ? streamEvents(summary) : [];
    spans.push({
      ...shared,
      spanId: spanIdOf(run, summary.id, 'client'),
      parentSpanId: serverId,
      kind: 'client',
      attributes: compact({ ...attributes, 'plugfest.linked_from': backlinks.get(summary.id) }),
      events,
      droppedEvents: isStream(summary) ? summary.events.length - events.length : 0,
      links: [],
    });
  }

  const described = new Map((input.cells ?? []).map((cell) => [cell.id, cell]));
  return [...cells].flatMap(([traceId, { cell, startNs, endNs }]) => {
    const about = cell === undefined ? undefined : described.get(cell);
    const failed = about?.outcome === 'failed' || about?.outcome === 'timeout';
    const root: Span = {
      traceId,
      spanId: cellSpanIdOf(run, cell),
      name: about === undefined ? (cell === undefined ? 'no cell' : 'cell') : cellName(about),
      kind: 'internal',
      anchorMs,
      startNs,
      endNs,
      status: failed ? 'error' : 'unset',
      attributes: compact({
        'plugfest.run': run,
        'plugfest.cell': cell,
        'plugfest.cell.scenario': about?.scenario,
        'plugfest.cell.client': about?.client,
        'plugfest.cell.server': about?.server,
        'plugfest.cell.outcome': about?.outcome,
        'plugfest.binding': about?.binding,
        'a2a.protocol.version': about?.version,
        'error.type': failed ? about?.outcome : undefined,
      }),
      events: [],
      droppedEvents: 0,
      links: [],
    };
    return [root, ...(hopsOf.get(traceId) ?? [])];
  });
}

const cellName = (cell: Cell): string => `cell ${cell.scenario} ${cell.client}→${cell.server}`;

const edgeKey = (caller: string, callee: string, kind: string): string =>
  `${caller}\u0000${callee}\u0000${kind}`;

/** Gives each exchange its trace: that of its cause, or that of its cell. */
function place({ run, summaries, links }: ProjectionInput): ReadonlyMap<ExchangeId, Placed> {
  const linkOf = new Map(links.map((link) => [link.exchange, link]));
  const byId = new Map(summaries.map((summary) => [summary.id, summary]));
  const placed = new Map<ExchangeId, Placed>();
  const traceIds = new Map<CellId | undefined, string>();
  const traceIdFor = (cell: CellId | undefined): string => {
    const known = traceIds.get(cell);
    if (known !== undefined) return known;
    const id = traceIdOf(run, cell);
    traceIds.set(cell, id);
    return id;
  };

  for (const summary of summaries) {
    // Up to the first cause that has its place, or that has none; then down again. Chains can be long.
    const chain: ExchangeSummary[] = [];
    const seen = new Set<ExchangeId>();
    let next: ExchangeSummary | undefined = summary;
    while (next !== undefined && !placed.has(next.id) && !seen.has(next.id)) {
      chain.push(next);
      seen.add(next.id);
      const parent: ExchangeId | undefined = linkOf.get(next.id)?.parent;
      next = parent === undefined ? undefined : byId.get(parent);
    }
    let cell = next === undefined ? undefined : placed.get(next.id)?.cell;
    let rooted = next !== undefined && placed.has(next.id);
    for (const each of chain.reverse()) {
      if (!rooted) cell = each.cell;
      rooted = true;
      placed.set(each.id, { summary: each, link: linkOf.get(each.id), traceId: traceIdFor(cell), cell });
    }
  }
  return placed;
}

/** Second causes and candidates, and the context that the caller sent where it is not ours. */
function spanLinks(
  run: RunId,
  { summary, link }: Placed,
  placed: ReadonlyMap<ExchangeId, Placed>,
): readonly SpanLink[] {
  const links: SpanLink[] = [];
  for (const { exchange, reason } of link?.also ?? []) {
    const target = placed.get(exchange);
    if (target === undefined) continue;
    links.push({
      traceId: target.traceId,
      spanId: spanIdOf(run, exchange, 'client'),
      attributes: { 'plugfest.link.exchange': exchange, 'plugfest.link.reason': reason },
    });
  }
  const received = parseTraceparent(summary.traceparent);
  if (received !== undefined && link?.method !== 'span-id') {
    links.push({ ...received, attributes: { 'plugfest.link.reason': 'received-context' } });
  }
  return links;
}

/** Viewers show a link on the span that has it and nowhere else, so both ends say so in attributes as well. */
function linkAttributes(link: HopLink | undefined, links: readonly SpanLink[]) {
  if (link === undefined) return {};
  const targets = links.filter((each) => each.attributes['plugfest.link.exchange'] !== undefined);
  return {
    'plugfest.link.method': link.method,
    'plugfest.link.confidence': link.confidence,
    'plugfest.link.parent': link.parent,
    'plugfest.link.exchanges': targets.length === 0 ? undefined : link.also.map(({ exchange }) => exchange),
    'plugfest.link.reasons': targets.length === 0 ? undefined : link.also.map(({ reason }) => reason),
    'plugfest.link.span_ids': targets.length === 0 ? undefined : targets.map(({ spanId }) => spanId),
  };
}

const backlinkLimit = 32;

function backlinksOf(links: readonly HopLink[]): ReadonlyMap<ExchangeId, readonly ExchangeId[]> {
  const backlinks = new Map<ExchangeId, ExchangeId[]>();
  for (const link of links) {
    if (link.method === 'none') continue;
    for (const { exchange } of link.also) {
      const list = backlinks.get(exchange) ?? [];
      backlinks.set(exchange, list);
      if (list.length < backlinkLimit && !list.includes(link.exchange)) list.push(link.exchange);
    }
  }
  return backlinks;
}

function streamEvents(summary: ExchangeSummary): readonly SpanEvent[] {
  const { events } = summary;
  const name = summary.binding === 'GRPC' ? 'rpc.message' : 'sse.event';
  const last = events.length - 1;
  return events.flatMap((event, index) =>
    index < eventLimit - 1 || index === last
      ? [
          {
            name,
            atNs: event.atNs,
            attributes: compact({
              'plugfest.event.index': index,
              'plugfest.event.kind': safeToken(event.kind),
              'a2a.task.state': event.state,
            }),
          },
        ]
      : [],
  );
}
