/** What the thread that moves the write-ahead log is started with. */
export interface MoverData {
  readonly file: string;
  readonly dev: bigint;
  readonly ino: bigint;
  /** One number, a `moverState`. */
  readonly state: ArrayBufferLike;
}

/** `asked` and `ending` are set by the writing thread, `idle` and `ended` by the other one when that is done. */
export const moverState = { idle: 0, asked: 1, ending: 2, ended: 3 } as const;
