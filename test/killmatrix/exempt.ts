import type { Binding, ProtocolVersion } from '@plugfest/model';

/** Rules that no mutation of these sessions can break in a dialect, and why. */
export const exempt: readonly {
  readonly rule: string;
  readonly versions?: readonly ProtocolVersion[];
  readonly bindings?: readonly Binding[];
  readonly why: string;
}[] = [
  {
    rule: 'TASK-005',
    versions: ['0.3'],
    bindings: ['HTTP+JSON', 'GRPC'],
    why: 'the proto of 0.3 reads 0 as no limit, so that the rule leaves it out',
  },
  {
    rule: 'GRPC-003',
    why: 'the plain format of the sessions has no heads of gRPC calls; the examples of the rule are bytes',
  },
  {
    rule: 'AUTH-001',
    why: 'the hosts of the sessions are those of a lab, to which the rule does not apply',
  },
];
