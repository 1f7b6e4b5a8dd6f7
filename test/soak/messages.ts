/** What the recorder under load is asked, over IPC. */
export type Order = { readonly type: 'usage' } | { readonly type: 'close' };

export interface Ready {
  readonly origin: string;
}

export interface Usage {
  readonly rssBytes: number;
  /** After a full garbage collection. */
  readonly heapBytes: number;
  readonly externalBytes: number;
  /** Heap and buffers of the thread that writes, garbage included. */
  readonly threadBytes: number;
  /** Active handles and requests of the event loop, by kind. */
  readonly active: Readonly<Record<string, number>>;
  readonly cpuUs: number;
}

export interface Closed {
  /** What keeps the process alive although all was closed. */
  readonly active: Readonly<Record<string, number>>;
}
