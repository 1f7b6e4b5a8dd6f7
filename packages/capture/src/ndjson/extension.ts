import {
  type CapturedBody,
  type CapturedExchange,
  type CapturedNote,
  type CaptureSource,
  type Change,
  type Edge,
  type EndKind,
  type Gap,
  isJsonObject,
  type JsonObject,
  type Loss,
  type Participant,
  type RawHeaders,
} from '@plugfest/model';

/** A piece of a body: its number in the order of observation, when it came, and how many bytes of the body it is. */
export type PieceOfBody = readonly [seq: number, atNs: number, bytes: number];

/** What the format has no place for of one side of an exchange. */
interface SideExtension {
  readonly version: string;
  /** Where names in an object cannot say it: fields in wire order and case. */
  readonly headers?: RawHeaders;
  readonly forwarded?: RawHeaders;
  readonly pieces: readonly PieceOfBody[];
  /** Bytes on the wire, and how many of these are stored. */
  readonly total: number;
  readonly stored: number;
  readonly endedNs?: number;
  readonly trailers?: RawHeaders;
}

interface ResponseExtension extends SideExtension {
  readonly atNs: number;
  readonly reason?: string;
}

/** What the format has no place for, in the member `_plugfest` of a line that Plugfest wrote. */
export interface LineExtension {
  readonly id: string;
  readonly seq: number;
  readonly atNs: number;
  readonly edge: Edge;
  readonly cell?: string;
  readonly target: string;
  readonly lost: readonly (Loss | 'times')[];
  readonly request: SideExtension;
  readonly response?: ResponseExtension;
  readonly end: { readonly kind: EndKind; readonly atNs?: number; readonly detail?: string };
  readonly changes: readonly Change[];
  readonly gaps: readonly Gap[];
  readonly notes: readonly Note[];
  /** In the first line: what belongs to no exchange. */
  readonly capture?: CaptureExtension;
}

type Note = Omit<CapturedNote, 'seq'>;

interface CaptureExtension {
  readonly startedAt: string;
  readonly participants: readonly Participant[];
  readonly edges: readonly Edge[];
  readonly gaps: readonly Gap[];
  readonly notes: readonly Note[];
}

/** Whether all that a capture knows beyond its exchanges is what any import of exchanges gives. */
export function isPlain(source: CaptureSource): boolean {
  const asImported = ({ name, kind, about }: Participant): boolean =>
    about === undefined && kind === (name === 'gateway' ? 'gateway' : 'unknown');
  return (
    source.participants().every(asImported) &&
    source.edges().every(({ mode, upstream }) => mode === 'import' && upstream === undefined) &&
    source.gaps().length === 0 &&
    source.notes().every(({ topic, exchange }) => topic !== 'cell' && exchange !== undefined)
  );
}

export function captureExtension(source: CaptureSource): CaptureExtension {
  return {
    startedAt: source.info.startedAt,
    participants: source.participants(),
    edges: source.edges(),
    gaps: source.gaps().filter(({ exchange }) => exchange === undefined),
    notes: source
      .notes()
      .filter(({ exchange }) => exchange === undefined)
      .map(({ seq: _, ...note }) => note),
  };
}

interface OfExchange {
  readonly gaps: readonly Gap[];
  readonly notes: readonly Note[];
  readonly capture: CaptureExtension | undefined;
  /** Header fields as a reader of the line takes them, to be told where they were something else. */
  readonly asRead: (headers: RawHeaders) => RawHeaders;
}

/** The extension of one exchange. */
export function lineExtension(
  exchange: CapturedExchange,
  { gaps, notes, capture, asRead }: OfExchange,
): LineExtension {
  const { id, seq, edge, cell, request, response, end, changes, lost = [], timesSynthetic } = exchange;
  const sideOf = (side: {
    readonly httpVersion: string;
    readonly headers: RawHeaders;
    readonly forwardedHeaders?: RawHeaders;
    readonly body: CapturedBody;
    readonly trailers?: RawHeaders;
  }): SideExtension => ({
    version: side.httpVersion,
    ...(isSame(asRead(side.headers), side.headers) ? {} : { headers: side.headers }),
    ...(side.forwardedHeaders === undefined ? {} : { forwarded: side.forwardedHeaders }),
    pieces: side.body.chunks.map((chunk): PieceOfBody => [chunk.seq, chunk.atNs, chunk.bytes.byteLength]),
    total: side.body.totalBytes,
    stored: side.body.storedBytes,
    ...(side.body.endedAtNs === undefined ? {} : { endedNs: side.body.endedAtNs }),
    ...(side.trailers === undefined ? {} : { trailers: side.trailers }),
  });
  return {
    ...{ id, seq, atNs: request.atNs, edge },
    ...(cell === undefined ? {} : { cell }),
    target: request.target,
    lost: [...lost, ...(timesSynthetic ? (['times'] as const) : [])],
    request: sideOf(request),
    ...(response === undefined
      ? {}
      : {
          response: {
            ...sideOf(response),
            atNs: response.atNs,
            ...(response.reason === undefined ? {} : { reason: response.reason }),
          },
        }),
    ...{ end, changes, gaps, notes },
    ...(capture === undefined ? {} : { capture }),
  };
}

const isSame = (a: RawHeaders, b: RawHeaders): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);

type Fail = (what: string) => never;

/** Checks it. `fail` throws, and names the line. */
export function parseExtension(value: unknown, failLine: Fail): LineExtension {
  const at = (where: string, of: unknown): Checked =>
    isJsonObject(of) ? new Checked(of, where, failLine) : failLine(`${where} must be an object`);
  const own = at('_plugfest', value);
  const request = at('_plugfest.request', own.of.request);
  const response = own.of.response === undefined ? undefined : at('_plugfest.response', own.of.response);
  const end = at('_plugfest.end', own.of.end);
  const ended = end.optionalNumber('atNs');
  const detail = end.optionalText('detail');
  const cell = own.optionalText('cell');
  return {
    ...{ id: own.text('id'), seq: own.number('seq'), atNs: own.number('atNs'), target: own.text('target') },
    edge: edgeOf(at('_plugfest.edge', own.of.edge)),
    ...(cell === undefined ? {} : { cell }),
    lost: own.list('lost').filter((each) => losses.has(each)) as (Loss | 'times')[],
    request: sideExtension(request),
    ...(response === undefined ? {} : { response: responseExtension(response) }),
    end: {
      kind: end.oneOf('kind', ends),
      ...(ended === undefined ? {} : { atNs: ended }),
      ...(detail === undefined ? {} : { detail }),
    },
    changes: own.objects('changes').map(changeOf),
    gaps: own.objects('gaps').map(gapOf),
    notes: own.objects('notes').map(noteOf),
    ...(own.of.capture === undefined
      ? {}
      : { capture: captureOf(at('_plugfest.capture', own.of.capture), failLine) }),
  };
}

const losses: ReadonlySet<unknown> = new Set(['times', 'chunk-times', 'trailers']);
const ends = [
  ...([
    'complete',
    'client-abort',
    'upstream-abort',
    'reset',
    'timeout',
    'fault',
    'shutdown',
    'open',
  ] as const),
];
const gapReasons = ['unclean-shutdown', 'queue-full', 'body-cap', 'disk', 'decode'] as const;

/** An object of a line whose members are asked for by type. */
class Checked {
  readonly of: JsonObject;
  readonly #where: string;
  readonly #fail: Fail;

  constructor(of: JsonObject, where: string, fail: Fail) {
    this.of = of;
    this.#where = where;
    this.#fail = fail;
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.fail(name, 'a string');
  }

  optionalText(name: string): string | undefined {
    const value = this.of[name];
    return value === undefined || typeof value === 'string' ? value : this.fail(name, 'a string');
  }

  number(name: string): number {
    return this.optionalNumber(name) ?? this.fail(name, 'a whole number');
  }

  optionalNumber(name: string): number | undefined {
    const value = this.of[name];
    return value === undefined || (typeof value === 'number' && Number.isInteger(value))
      ? value
      : this.fail(name, 'a whole number');
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word {
    return words.find((word) => word === this.of[name]) ?? this.fail(name, `one of ${words.join(', ')}`);
  }

  list(name: string): readonly unknown[] {
    const value = this.of[name] ?? [];
    return Array.isArray(value) ? value : this.fail(name, 'an array');
  }

  objects(name: string): readonly Checked[] {
    return this.list(name).map((each, i) =>
      isJsonObject(each)
        ? new Checked(each, `${this.#where}.${name}[${i}]`, this.#fail)
        : this.fail(`${name}[${i}]`, 'an object'),
    );
  }

  /** Header fields, as a flat list; undefined where the member is not there. */
  fields(name: string): RawHeaders | undefined {
    if (this.of[name] === undefined) return undefined;
    const list = this.list(name);
    return list.length % 2 === 0 && list.every((each) => typeof each === 'string')
      ? (list as string[])
      : this.fail(name, 'names and values of header fields');
  }

  fail(name: string, what: string): never {
    return this.#fail(`${this.#where}.${name} must be ${what}`);
  }
}

function sideExtension(side: Checked): SideExtension {
  const [headers, forwarded, trailers] = ['headers', 'forwarded', 'trailers'].map((name) =>
    side.fields(name),
  );
  const endedNs = side.optionalNumber('endedNs');
  return {
    ...{ version: side.text('version'), total: side.number('total'), stored: side.number('stored') },
    ...(headers === undefined ? {} : { headers }),
    ...(forwarded === undefined ? {} : { forwarded }),
    pieces: side.list('pieces').map((each, i) => {
      const [seq, atNs, bytes, ...more] = Array.isArray(each) ? (each as unknown[]) : [];
      return Number.isInteger(seq) && Number.isInteger(atNs) && Number.isInteger(bytes) && more.length === 0
        ? ([seq, atNs, bytes] as unknown as PieceOfBody)
        : side.fail(`pieces[${i}]`, 'three whole numbers');
    }),
    ...(endedNs === undefined ? {} : { endedNs }),
    ...(trailers === undefined ? {} : { trailers }),
  };
}

function responseExtension(response: Checked): ResponseExtension {
  const reason = response.optionalText('reason');
  return {
    ...sideExtension(response),
    atNs: response.number('atNs'),
    ...(reason === undefined ? {} : { reason }),
  };
}

function edgeOf(edge: Checked): Edge {
  const upstream = edge.optionalText('upstream');
  return {
    id: edge.text('id') as Edge['id'],
    ...{ caller: edge.text('caller'), callee: edge.text('callee') },
    kind: edge.oneOf('kind', ['a2a', 'webhook']),
    mode: edge.oneOf('mode', ['alias', 'rewrite', 'forward', 'import']),
    ...(upstream === undefined ? {} : { upstream }),
  };
}

function changeOf(change: Checked): Change {
  const [where, before, after] = ['where', 'before', 'after'].map((name) => change.optionalText(name));
  return {
    side: change.oneOf('side', ['request', 'response']),
    place: change.oneOf('place', ['target', 'header', 'body', 'trailer', 'time']),
    ...(where === undefined ? {} : { where }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    reason: change.text('reason'),
  };
}

function gapOf(gap: Checked): Gap {
  const exchange = gap.optionalText('exchange');
  const lostBytes = gap.optionalNumber('lostBytes');
  const detail = gap.optionalText('detail');
  return {
    ...{ atNs: gap.number('atNs'), reason: gap.oneOf('reason', gapReasons) },
    ...(exchange === undefined ? {} : { exchange: exchange as NonNullable<Gap['exchange']> }),
    ...(lostBytes === undefined ? {} : { lostBytes }),
    ...(detail === undefined ? {} : { detail }),
  };
}

function noteOf(note: Checked): Note {
  const exchange = note.optionalText('exchange');
  const cell = note.optionalText('cell');
  return {
    ...{ atNs: note.number('atNs'), topic: note.text('topic'), text: note.text('text') },
    ...(exchange === undefined ? {} : { exchange: exchange as NonNullable<Note['exchange']> }),
    ...(cell === undefined ? {} : { cell: cell as NonNullable<Note['cell']> }),
  };
}

function captureOf(capture: Checked, fail: Fail): CaptureExtension {
  const startedAt = capture.text('startedAt');
  if (Number.isNaN(Date.parse(startedAt))) fail('_plugfest.capture.startedAt must be an ISO 8601 time');
  return {
    startedAt,
    participants: capture.objects('participants').map((participant) => {
      const about = participant.optionalText('about');
      return {
        name: participant.text('name'),
        kind: participant.oneOf('kind', ['agent', 'harness', 'reference', 'gateway', 'unknown']),
        ...(about === undefined ? {} : { about }),
      };
    }),
    edges: capture.objects('edges').map(edgeOf),
    gaps: capture.objects('gaps').map(gapOf),
    notes: capture.objects('notes').map(noteOf),
  };
}
