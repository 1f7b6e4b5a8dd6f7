import type { Jwk } from '@plugfest/a2a';
import type { CaptureSink, Interposer, RunId, TapMode } from '@plugfest/model';
import type { FaultSet } from './faults/fault-set.ts';
import type { OpenTap } from './open-tap.ts';
import type { LabAuthority } from './tls/authority.ts';

/** What is known of a participant that is reached through a tap. */
export interface ProxiedParticipant {
  /** Origins at which it is known to listen, e.g. `http://127.0.0.1:41234`. */
  readonly origins: readonly string[];
  /**
   * Origins by which it calls itself, each with the one at which it is reached from here: a container is known to its
   * peers by a name that leads them to a tap.
   */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Paths at which it serves its card beside those of the protocol, e.g. `/agents/hotel.json`. */
  readonly cardPaths?: readonly string[];
}

export interface InterposerOptions {
  readonly sink: CaptureSink;
  readonly run: RunId;
  /** Address to listen on; 127.0.0.1 where absent. */
  readonly host?: string;
  /** `observe` adds nothing to a request; `inject` adds trace context. `observe` where absent. */
  readonly tracing?: 'observe' | 'inject';
  /** How taps are put between two parties, where they do not say themselves; `rewrite` where absent. */
  readonly mode?: TapMode;
  /**
   * 32 secret bytes that webhook URLs are sealed with. Give the same in the next session, so that agents can still
   * deliver to what they were given in this one; new random ones where absent.
   */
  readonly webhookKey?: Uint8Array;
  /**
   * What becomes of a card's signatures where a URL that they cover was rewritten: `strip` removes them, with a note;
   * `resign` puts one in their place that each tap has the key of (`/.plugfest/jwks.json`). `strip` where absent.
   */
  readonly signatures?: 'strip' | 'resign';
  /** A P-256 key in PEM (PKCS #8) to re-sign with; a new one where absent. */
  readonly signingKey?: string;
  /** Keys that publishers are known to sign their cards with. */
  readonly cardKeys?: readonly Jwk[];
  readonly participants?: ReadonlyMap<string, ProxiedParticipant>;
  /**
   * Whether a card may lead to ports of this machine that are declared for nobody; false where absent, since a card
   * could name any server there is. Declared origins of the callee are always followed.
   */
  readonly trustLoopback?: boolean;
  /** Largest card that is rewritten, before and after content decoding, in bytes; 1 MiB where absent. */
  readonly maxCardBytes?: number;
  /** Taps speak TLS with certificates of this authority, whatever callees speak. */
  readonly tls?: LabAuthority;
  /** Certificates of authorities that callees may have beside the usual ones; PEM. */
  readonly upstreamCa?: string;
  /** Told of the secrets of TLS connections, on both sides, in the lines of a key log. */
  readonly keyLog?: (line: Buffer) => void;
  /** How long a connection to a callee may take; 10 s where absent. */
  readonly connectTimeoutMs?: number;
  /**
   * Name or address that cards, webhooks and redirects have for taps, where peers reach them by another than the one
   * they listen on: the name of a container, or that of this machine in its network.
   */
  readonly advertise?: string;
  /** How long a request head may take to arrive, or a body that is held to be looked at; 60 s where absent. */
  readonly headTimeoutMs?: number;
  /** Most connections of clients that one tap has open; further ones are closed at once. 2048 where absent. */
  readonly maxConnections?: number;
  /** Put into every id; keeps apart the recordings that go into one capture. */
  readonly idPrefix?: string;
  /** How long open exchanges may take to end by themselves on close; 1 s where absent. */
  readonly drainMs?: number;
  /** Faults to play; they may be switched at any time. Absent where none ever will be. */
  readonly faults?: FaultSet;
}

export interface RecordingInterposer extends Interposer, AsyncDisposable {
  /** Declares a participant, or more origins of one. */
  addParticipant(name: string, participant: ProxiedParticipant): void;
  /** What is open, in the order of opening. */
  openTaps(): readonly OpenTap[];
  readonly faults: FaultSet | undefined;
  /** Closes all taps: open exchanges get `drainMs` to end, and are then ended as `shutdown`. */
  close(): Promise<void>;
}
