import type { CellId, EdgeKind } from '@plugfest/model';

/** A tap that is open. */
export interface OpenTap {
  readonly caller: string;
  readonly callee: string;
  readonly kind: EdgeKind;
  readonly cell?: CellId;
  readonly origin: string;
}
