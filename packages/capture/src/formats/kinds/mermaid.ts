import type { CapturedExchange } from '@plugfest/model';
import { header, mediaType } from '@plugfest/model';
import { closeOf, webSocketMessages } from '../../websocket/messages.ts';
import { decodedBody } from '../decoded.ts';
import type { CaptureFormat } from '../format.ts';

/** Arrows of a diagram that can still be looked at. */
const usualArrows = 200;
/** Longer labels are cut. */
const mostCharacters = 90;
/** Larger bodies are not looked into. */
const mostBodyBytes = 256 * 1024;
const mostParticipants = 50;

const mermaid: CaptureFormat = {
  format: 'mermaid',
  about: 'a sequence diagram (Mermaid); select a cell or a task, as it shows the first arrows only',
  limited: true,
  *write(source, { limit = usualArrows } = {}) {
    const names = new Map<string, string>();
    const arrows: Arrow[] = [];
    let left = 0;
    for (const exchange of source.exchanges()) {
      const { caller, callee } = exchange.edge;
      for (const name of [caller, callee])
        if (!names.has(name) && names.size < mostParticipants) names.set(name, `p${names.size + 1}`);
      const [from, to] = [names.get(caller), names.get(callee)];
      // Whatever begins later is later than all that is drawn.
      if (arrows.length >= limit || from === undefined || to === undefined) left += 1;
      else arrows.push(...arrowsOf(exchange, from, to));
    }
    arrows.sort((a, b) => a.seq - b.seq);
    yield 'sequenceDiagram\n';
    for (const [name, id] of names) yield `  participant ${id} as ${label(name)}\n`;
    let cell: string | undefined;
    for (const arrow of arrows.slice(0, limit)) {
      if (arrow.cell !== undefined && arrow.cell !== cell)
        yield `  Note over ${arrow.from},${arrow.to}: ${label(arrow.cell)}\n`;
      cell = arrow.cell ?? cell;
      yield `  ${arrow.from}${arrow.line}${arrow.to}: ${label(arrow.text)}\n`;
    }
    const cut = Math.max(0, arrows.length - limit);
    if (left + cut > 0) {
      const what = [left > 0 ? `${left} exchanges` : '', cut > 0 ? `${cut} arrows` : ''].filter(
        (part) => part,
      );
      yield `  Note over ${[...names.values()][0] ?? 'p1'}: ${label(`not shown: ${what.join(' and ')}`)}\n`;
    }
  },
};

export default mermaid;

interface Arrow {
  /** In the order of observation; a part of one where an event has no number. */
  readonly seq: number;
  readonly from: string;
  readonly to: string;
  /** `->>` a request, `-->>` an answer, `-x` one that did not arrive whole. */
  readonly line: string;
  readonly text: string;
  readonly cell?: string;
}

function arrowsOf(exchange: CapturedExchange, from: string, to: string): Arrow[] {
  const { id, seq, cell, request, response, end } = exchange;
  const ask = `${id} ${request.method} ${operationOf(exchange)}`;
  const arrows: Arrow[] = [
    { seq, from, to, line: '->>', text: ask, ...(cell === undefined ? {} : { cell }) },
  ];
  const back = (at: number, line: string, text: string): void => {
    arrows.push({
      seq: at,
      from: to,
      to: from,
      line,
      text: `${id} ${text}`,
      ...(cell === undefined ? {} : { cell }),
    });
  };
  const ended = end.kind === 'complete' ? '' : ` (${end.kind})`;
  const line = end.kind === 'complete' || end.kind === 'open' ? '-->>' : '--x';
  if (response === undefined) {
    back(seq + 0.9, line, `no answer${ended}`);
    return arrows;
  }
  const messages = webSocketMessages(exchange);
  if (messages !== undefined) {
    back(seq + 0.5, '-->>', `${response.status} WebSocket`);
    for (const { side, seq: at, kind, bytes } of messages) {
      const said = kind === 'close' ? `close ${closeOf(bytes).code}` : kind;
      const text = bytes.byteLength > mostBodyBytes ? '' : bytes.toString('utf8');
      const words = `${said}, ${bytes.byteLength} bytes ${statesIn(text)}`.trim();
      if (side === 'response') back(at, '-->>', words);
      else arrows.push({ seq: at, from, to, line: '->>', text: `${id} ${words}` });
    }
    return arrows;
  }
  const { chunks } = response.body;
  const first = (chunks[0]?.seq ?? seq + 0.9) - 0.1;
  const isStream = mediaType(header(response.headers, 'content-type')) === 'text/event-stream';
  if (!isStream) {
    const text = `${response.status} ${statesIn(bodyText(response))}`;
    back(chunks.at(-1)?.seq ?? first, line, `${text.trim()}${ended}`);
    return arrows;
  }
  back(first, '-->>', `${response.status} stream`);
  for (const { seq: at, bytes } of chunks) {
    const text = bytes.byteLength > mostBodyBytes ? '' : Buffer.from(bytes).toString('utf8');
    back(at, '-->>', `${bytes.byteLength} bytes ${statesIn(text)}`.trim());
  }
  back(
    (chunks.at(-1)?.seq ?? first) + 0.5,
    line,
    end.kind === 'complete' ? 'end of stream' : `stream${ended}`,
  );
  return arrows;
}

/** What is asked for: a method of JSON-RPC, or of gRPC, or the target. */
function operationOf({ request }: CapturedExchange): string {
  const path = request.target.split('?', 1)[0] ?? '';
  if (mediaType(header(request.headers, 'content-type')).startsWith('application/grpc'))
    return path.slice(path.lastIndexOf('/') + 1);
  const method = /"method"\s*:\s*"([\w/]{1,64})"/.exec(bodyText(request))?.[1];
  return method === undefined ? path : `${path} ${method}`;
}

function bodyText({ headers, body }: Pick<CapturedExchange['request'], 'headers' | 'body'>): string {
  if (body.storedBytes > mostBodyBytes) return '';
  const raw = Buffer.concat(body.chunks.map(({ bytes }) => bytes));
  const bytes = decodedBody(raw, header(headers, 'content-encoding')) ?? raw;
  return bytes.byteLength > mostBodyBytes ? '' : bytes.toString('utf8');
}

/** States of tasks, and codes of errors, in the order in which they stand there. */
function statesIn(text: string): string {
  const found = new Set<string>();
  for (const [, state, code] of text.matchAll(/"state"\s*:\s*"([\w-]{1,40})"|"code"\s*:\s*(-?\d{1,6})\b/g)) {
    found.add(state ?? `error ${code}`);
    if (found.size === 4) break;
  }
  return [...found].join(', ');
}

/** Text of a label: whatever Mermaid or a browser could take for its own is an entity. */
function label(text: string): string {
  const points = [...text.replace(/\s+/gu, ' ').trim()];
  const cut = points.length > mostCharacters ? [...points.slice(0, mostCharacters - 1), '…'] : points;
  const safe = cut.map((point) =>
    /[\p{L}\p{N} .,/:_…-]/u.test(point) ? point : `#${point.codePointAt(0)};`,
  );
  return safe.join('') || '#160;';
}
