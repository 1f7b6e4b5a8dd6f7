import type { Change, EdgeKind, ExchangeId, Side } from '@plugfest/model';
import { z } from 'zod';
import type { Random } from './random.ts';
import { type Selectors, selectors } from './selectors.ts';

/** Where a response goes on: to another fault, and in the end to the client. */
export interface Flow {
  head(): void;
  data(bytes: Buffer): void;
  end(trailers: readonly string[]): void;
  /** The response ends in the middle. */
  cut(reset: boolean, code?: number): void;
}

interface Act {
  readonly exchange: ExchangeId;
  /** What this fault draws in this exchange. */
  readonly random: Random;
  /** Puts on record what the fault did. */
  applied(change: Omit<Change, 'reason' | 'side'>): void;
  /** The same for what only makes room for it, such as another framing: that alone is no fault. */
  framed(change: Omit<Change, 'reason' | 'side'>): void;
  /** Puts on record that it was to act and could not: `why` follows its name, as part of a sentence. */
  bypassed(why: string): void;
  /** Calls back unless the exchange is over before. */
  after(ms: number, callback: () => void): void;
  /** The exchange is at its end, for a reason that is put on record. */
  endExchange(detail: string, reset: boolean): void;
}

/** A request on its way to the callee. */
export interface RequestAct extends Act {
  /** Fields as they go to the callee; edited in place. */
  readonly headers: string[];
  /** Undefined where the body was not held: it is too large, or waits for a 100. */
  readonly body: Buffer | undefined;
  wait(ms: number): Promise<void>;
  /** Nothing goes to the callee: the caller gets an RST. */
  reset(): void;
  /** Nothing goes to the callee, and nothing is answered until the time is over. */
  hang(forMs: number): void;
  /** Nothing goes to the callee: the caller gets an empty answer. */
  answer(status: number): void;
  /** Sends the request once more, `gapMs` after it went out. */
  sendAgain(gapMs: number): void;
}

/** A response on its way to the client; on an upgraded connection, what one side says to the other. */
export interface ResponseAct extends Act {
  /** True where the connection has left HTTP: what follows the head is another protocol's. */
  readonly upgraded: boolean;
  readonly method: string;
  /** HTTP version of the client's request: `1.0`, `1.1` or `2.0`. */
  readonly httpVersion: string;
  readonly caller: string;
  readonly callee: string;
  /** As it came. */
  readonly status: number;
  /** Fields as they go to the client; edited in place. */
  readonly headers: string[];
  /** False where there is none by RFC 9110 section 6.4.1. */
  readonly hasBody: boolean;
  setStatus(status: number): void;
  /** More in the queue than is good; and less again. */
  pause(): void;
  resume(): void;
  /**
   * Nothing more is sent from here on; what comes is on record only. After `forMs` the exchange is at its end, if it was
   * not before, and `cut` lets the client go.
   */
  hang(forMs: number, cut: () => void): void;
}

export type Stage = (next: Flow) => Flow;

/** Of an upgraded connection, what a fault can take: `uncompressed` where messages must not refer to each other. */
type Upgraded = 'any' | 'uncompressed';

export interface PreparedFault {
  /** Which way what `response` acts on goes. */
  readonly side: Side;
  /** Undefined where it acts on HTTP alone. */
  readonly upgraded: Upgraded | undefined;
  /** What it does to a request takes the body as a whole. */
  readonly holdsRequest: boolean;
  request?(act: RequestAct): Promise<void> | void;
  response?(act: ResponseAct): Stage | undefined;
}

export interface FaultSpec<Shape extends z.ZodRawShape> {
  /** The file's name. */
  readonly name: string;
  /** One sentence: what it does. */
  readonly about: string;
  /** Edges that it can act on; both kinds where absent. */
  readonly edges?: EdgeKind;
  /** Requests that it fits, where that is not all of them. */
  readonly requests?: 'card';
  /**
   * True where a request is to be held until its body is there as a whole: because that is needed, or because nothing of it
   * goes out and it is to be on record nevertheless.
   */
  readonly holdsRequest?: (parameters: z.infer<z.ZodObject<Shape>>) => boolean;
  /** Given where it acts on upgraded connections, too; where its parameter `on` is `request`, then on what the client says. */
  readonly upgraded?: Upgraded;
  readonly parameters: Shape;
  /** A sentence where values that are each right do not go together. */
  readonly problem?: (parameters: z.infer<z.ZodObject<Shape>>) => string | undefined;
  /** Acts between client and callee, before the request goes out. */
  readonly request?: (parameters: z.infer<z.ZodObject<Shape>>, act: RequestAct) => Promise<void> | void;
  /** Acts between record and client, once the response begins: may edit the head, and gives what handles the rest. */
  readonly response?: (parameters: z.infer<z.ZodObject<Shape>>, act: ResponseAct) => Stage | undefined;
}

/** A kind of fault, as it is found in `kinds/`. */
export interface Fault {
  readonly name: string;
  readonly about: string;
  readonly edges: EdgeKind | undefined;
  /** Requests that it fits; all of them where undefined. */
  readonly requests: 'card' | undefined;
  /** Of an entry in a file: `fault`, the selectors and the parameters; unknown keys are errors. */
  readonly schema: z.ZodType;
  /** Names of its own parameters. */
  readonly parameters: readonly string[];
  /** Which sides of an exchange it may act on. */
  prepare(values: Readonly<Record<string, unknown>>): PreparedFault;
}

/** Why a fault could never act with these selectors, whatever comes; undefined where it could. */
function idleness(
  { name, edges, requests }: Pick<Fault, 'name' | 'edges' | 'requests'>,
  { operation, task }: Pick<Selectors, 'operation' | 'task'>,
): { readonly path: string[]; readonly message: string } | undefined {
  const chosen = operation === undefined ? undefined : [operation].flat();
  if (edges === 'webhook' && chosen !== undefined && !chosen.includes('webhook'))
    return {
      path: ['operation'],
      message: `${name} acts on deliveries to webhooks alone, which are no ${chosen.join(', ')}: leave it away`,
    };
  if (requests === 'card' && chosen !== undefined && !chosen.includes('card'))
    return {
      path: ['operation'],
      message: `${name} acts on requests for agent cards alone, not on ${chosen.join(', ')}: leave it away`,
    };
  if (edges === 'a2a' && chosen?.every((one) => one === 'webhook') === true)
    return { path: ['operation'], message: `${name} does not act on deliveries to webhooks` };
  const names = chosen?.some((one) => one !== 'card') ?? requests !== 'card';
  if (task !== undefined && !names)
    return { path: ['task'], message: 'a request for an agent card names no task: leave it away' };
  return undefined;
}

export function defineFault<Shape extends z.ZodRawShape>(spec: FaultSpec<Shape>): Fault {
  const own = z.object(spec.parameters);
  const entry = z.strictObject({ fault: z.literal(spec.name), ...selectors, ...spec.parameters });
  const { request, response, problem, edges, requests, holdsRequest, upgraded } = spec;
  const kind = { name: spec.name, edges, requests };
  return Object.freeze({
    name: spec.name,
    about: spec.about,
    edges,
    requests,
    parameters: Object.keys(spec.parameters),
    schema: entry.superRefine((values, context) => {
      const message = problem?.(values as never);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
      const idle = idleness(kind, values as Selectors);
      if (idle !== undefined) context.addIssue({ code: 'custom', ...idle });
    }),
    prepare: (values: Readonly<Record<string, unknown>>): PreparedFault => {
      const parameters = own.parse(values);
      return {
        side: 'on' in parameters && parameters.on === 'request' ? 'request' : 'response',
        upgraded,
        holdsRequest: holdsRequest?.(parameters) === true,
        ...(request === undefined ? {} : { request: (act: RequestAct) => request(parameters, act) }),
        ...(response === undefined ? {} : { response: (act: ResponseAct) => response(parameters, act) }),
      };
    },
  });
}
