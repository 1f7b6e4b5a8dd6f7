import type { JsonObject, Operation } from '@plugfest/model';
import type {
  CallOptions,
  Dialect,
  DriveCall,
  DriveConfiguration,
  DriveMessage,
  DriveResult,
} from '../driver/drive.ts';
import type { Instruction } from '../driver/instruction.ts';
import type { Random } from '../seeded.ts';
import type { Answers, Expected, Registration } from '../webhook/receiver.ts';
import type { Advice } from './checks.ts';
import type { ServerOffer } from './define.ts';

/** What a scenario sends: a message without the id, which the context fills in. */
export type Outgoing = Omit<DriveMessage, 'messageId'> & { readonly messageId?: string };

/** One direction of calls: whatever the client is, the scenario says the same things to it. */
export interface Calls {
  call(call: DriveCall): Promise<DriveResult>;
  send(message: Outgoing, configuration?: DriveConfiguration): Promise<DriveResult>;
  stream(
    message: Outgoing,
    configuration?: DriveConfiguration,
    stopAfterEvents?: number,
  ): Promise<DriveResult>;
}

/** An answer to bytes of Plugfest's own making. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  /** A2A or JSON-RPC error by its 1.0 name, where the answer tells it. */
  readonly errorName?: string;
  readonly errorCode?: number;
  /** Name of gRPC's status, such as `NOT_FOUND`, where the answer has one. */
  readonly grpcStatus?: string;
  readonly isError: boolean;
  /** Whether it is what the operation answers with; an HTTP 401 without an error object is neither. */
  readonly ok: boolean;
  /** Bounded. */
  readonly text: string;
  /** Names in lower case; gRPC: metadata of head and trailers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The task of the answer, and those of a list. */
  readonly taskIds: readonly string[];
}

/** Plugfest's client as bytes: for what no SDK sends. Its own breaches are no findings. */
interface RawProbe {
  /**
   * A body for the operation's address, instead of the one that it would have; over gRPC the bytes of its message.
   * `path`, over HTTP: below the URL of the interface instead.
   */
  body(operation: Operation, body: string, path?: string): Promise<RawAnswer>;
  /** JSON-RPC: a method of this name. HTTP+JSON: a POST to a path of this name. gRPC: a method of A2A's service. */
  unknownMethod(name: string): Promise<RawAnswer>;
  /**
   * A call whose headers (gRPC: metadata) are replaced by these; `undefined` leaves one out. `params` as in A2A 1.0
   * section 3.1. Of a stream only the first event is awaited.
   */
  request(
    operation: Operation,
    params: JsonObject,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<RawAnswer>;
}

export interface Webhook extends Pick<Registration, 'deliveries'> {
  /** For the push config: goes through the tap server → plugfest. */
  readonly url: string;
  waitFor(
    matches: Parameters<Registration['waitFor']>[0],
    timeoutMs: number,
  ): ReturnType<Registration['waitFor']>;
}

/** A fault that a scenario plays. */
export interface PlayedFault {
  /** How many exchanges it has acted on. */
  applied(): number;
  stop(): void;
}

/** A further agent that one of the two calls. */
export interface Onward {
  readonly name: string;
  readonly dialects: readonly Dialect[];
  /** Base URL at which it is reached from there. */
  url(): Promise<string>;
  /** Records what it delivers to webhooks of whoever calls it from there; before that one registers them. */
  tapDeliveries(): Promise<void>;
  /** Calls of Plugfest's own client. */
  calls(dialect: Dialect): Promise<Calls>;
}

/** What a scenario works with. Every call is bounded by the cell's time box. */
export interface ScenarioContext extends Calls {
  /** Participant names. */
  readonly client: string;
  readonly server: string;
  readonly dialect: Dialect;
  /** What the server's card offers. */
  readonly offers: ServerOffer;
  /** Whether the server carries out the texts of docs/lab-agents.md. */
  readonly behaviours: boolean;
  readonly capabilities: { readonly streaming: boolean; readonly pushNotifications: boolean };
  readonly random: Random;
  readonly signal: AbortSignal;

  /** Records one thing looked at. */
  check(name: string, ok: boolean, detail?: string): boolean;
  /** As `check`, for what the specification only recommends: the cell works all the same, with a note. */
  advise(name: string, ok: boolean, advice: Advice): boolean;
  /** As `check`, and ends the scenario where it does not hold. */
  require(name: string, ok: boolean, detail?: string): asserts ok;

  /** A text that occurs nowhere else in the run. */
  nonce(): string;
  messageId(prefix?: string): string;
  sleep(ms: number): Promise<void>;

  /** `answers`: what it does with deliveries instead of taking them. */
  webhook(expected: Expected, answers?: Answers): Promise<Webhook>;
  /**
   * For scenarios with `faults`: plays one (docs/faults.md) in this cell, on the calls from one role to another, until
   * it is stopped or the scenario is over.
   */
  fault(
    spec: JsonObject,
    on?: { readonly from: 'client' | 'server'; readonly to: 'server' | 'webhook' },
  ): PlayedFault;
  /** The same calls on another's behalf, or with a wish for extensions. */
  with(options: CallOptions): Calls;
  /** Of the server, where it wants to know who calls (`auth: bearer`); empty otherwise. The first one makes the usual calls. */
  readonly principals: readonly string[];
  /** Header of a principal, for `probe.request`. */
  credentials(principal: string): { readonly authorization: string };
  /**
   * For `words` scenarios: asks the client agent in the words of the lab to do something with the server, and waits for
   * its answer. `calls`: how many calls of the client reached the server.
   */
  ask(task: string): Promise<{ readonly answer: DriveResult; readonly calls: number }>;
  /** Plugfest's own client in the place of the client; the cell says so. */
  standIn(): Promise<Calls>;
  /**
   * For scenarios that are `alone` and need `restart`: ends the process of an agent and starts another at the same
   * addresses, with nothing that the first one kept in its memory. Ready when it serves.
   */
  restart(role: 'server' | 'client'): Promise<void>;
  /** For `raw` scenarios. */
  readonly probe: RawProbe;
  /**
   * The same calls for what breaks a rule on purpose, such as an id that nobody gave: whoever makes them does what
   * Plugfest asks for, so only the answers are judged.
   */
  readonly probing: Calls & {
    /** As `with`. */
    with(options: CallOptions): Calls;
  };
  /** Calls from the server to the client; undefined where the client is Plugfest, or where nobody can be told to. */
  reverse(dialect?: Dialect): Promise<Calls | undefined>;
  /** Dialects of the client as a server, for `reverse`; none where Plugfest is the client. */
  readonly reverseDialects: readonly Dialect[];
  /** The same calls in another dialect of the server; for `mixed` scenarios. */
  over(dialect: Dialect, options?: CallOptions): Promise<Calls>;
  /** All dialects in which the lab has the client call the server. */
  readonly dialects: readonly Dialect[];
  /** Further lab agents that the client calls on the lab's edges, and those that the server calls. */
  readonly beside: readonly Onward[];
  readonly beyond: readonly Onward[];
  /** Base URL at which the client reaches the server. */
  serverUrl(): Promise<string>;
  /** For `agent` scenarios: Plugfest tells the client agent what to do, and waits for its answer. */
  instruct(instruction: Instruction): Promise<DriveResult>;
}
