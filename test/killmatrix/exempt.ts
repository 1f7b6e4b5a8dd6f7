import type { Binding, ProtocolVersion } from '@plugfest/model';

/** A rule in some dialects, all that it claims where they are not given. */
export interface Exemption {
  readonly rule: string;
  readonly versions?: readonly ProtocolVersion[];
  readonly bindings?: readonly Binding[];
  readonly why: string;
}

/** Rules that no mutation of these sessions can break in a dialect, and why; what cannot be said cannot be said cleanly either. */
export const exempt: readonly Exemption[] = [
  {
    rule: 'GRPC-003',
    why: 'the plain format of the sessions has no heads of gRPC calls; the examples of the rule are bytes',
  },
  {
    rule: 'AUTH-001',
    why: 'the hosts of the sessions are those of a lab, to which the rule does not apply',
  },
  {
    rule: 'VER-003',
    versions: ['0.3'],
    why: 'it needs a peer that speaks 1.0 as well, and each session speaks one version',
  },
  ...['REST-001', 'REST-002', 'REST-005', 'REST-006', 'REST-007'].map((rule) => ({
    rule,
    bindings: ['JSONRPC'] as const,
    why: 'over JSON-RPC it sees only calls that went to a path of HTTP+JSON by mistake',
  })),
  ...['SSE-009', 'SUB-004'].map((rule) => ({
    rule,
    bindings: ['GRPC'] as const,
    why: 'the plain format of the sessions has no gRPC stream that stays open',
  })),
  ...['SEL-002', 'CARD-014'].map((rule) => ({
    rule,
    bindings: ['GRPC'] as const,
    why: 'the plain format of the sessions says no host of a gRPC call',
  })),
  ...['JSON-010', 'PUSH-015'].map((rule) => ({
    rule,
    bindings: ['GRPC'] as const,
    why: 'protobuf has no way to say it, or the plain format has not',
  })),
  {
    rule: 'JSON-007',
    versions: ['0.3'],
    bindings: ['HTTP+JSON', 'GRPC'],
    why: 'the proto of 0.3 requires next to nothing',
  },
  {
    rule: 'CARD-014',
    versions: ['0.3'],
    why: 'the sessions call the main URL of the card, which is the matter of CARD-032',
  },
  {
    rule: 'CARD-031',
    bindings: ['HTTP+JSON', 'GRPC'],
    why: 'without the member the main URL counts as that of JSON-RPC, which breaks other rules as well',
  },
  {
    rule: 'SEND-030',
    why: 'the cards of the sessions say 0.2.6, from which on the modes may be left out',
  },
  {
    rule: 'JSON-006',
    bindings: ['GRPC'],
    why: 'over gRPC a time is no text',
  },
  {
    rule: 'ART-009',
    versions: ['0.2'],
    why: 'the 0.2 card announces an extended one, which over JSON-RPC nobody fetched and which may say more',
  },
  {
    rule: 'CARD-032',
    bindings: ['GRPC'],
    why: 'the plain format of the sessions says no host of a gRPC call',
  },
  ...['GRPC-010', 'VER-005'].map((rule) => ({
    rule,
    bindings: ['GRPC'] as const,
    why: 'it shows in the bytes of a message, and the sessions are written in JSON; the examples of the rule are bytes',
  })),
  {
    rule: 'EXT-009',
    bindings: ['GRPC'],
    why: 'a protobuf message has no member that its proto has not',
  },
  {
    rule: 'XCARD-014',
    bindings: ['GRPC'],
    why: 'another method is no call for the extended card any more, but the matter of GRPC-002',
  },
  {
    rule: 'CACHE-011',
    versions: ['0.2'],
    why: 'the extended card of 0.2 is fetched over plain HTTP, which the sessions of JSON-RPC do not show',
  },
];

/** Rules that a clean session does not exercise, though mutations break them, and why. */
export const unexercised: readonly Exemption[] = [
  {
    rule: 'CACHE-011',
    why: 'it needs two cards of one agent with other URLs, and each translation has one URL for each binding',
  },
  ...['SEL-001', 'SEL-004'].map((rule) => ({
    rule,
    bindings: ['GRPC'] as const,
    why: 'the plain format of the sessions says no host of a gRPC call, so that nobody can tell which interface it went to',
  })),
  {
    rule: 'GUIDE-003',
    versions: ['0.1'],
    why: 'what a gateway hands on is known by the ids of messages, which 0.1 has not',
  },
  {
    rule: 'XCARD-004',
    versions: ['0.2'],
    why: 'the extended card of 0.2 is fetched over plain HTTP, which the sessions of JSON-RPC do not show',
  },
];
