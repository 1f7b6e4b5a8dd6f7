import type { CaptureSink, CaptureSource } from '@plugfest/model';

/** What an importer's sink may know beyond `record`: when the traffic was. */
export type ImportSink = CaptureSink & { setStart?(wallMs: number): void };

export interface ImportOptions {
  /** Name of the file, for messages. */
  readonly file: string;
  /** By host, host and port, or address of a peer: what it is called. Formats that name the parties do not need it. */
  readonly names?: ReadonlyMap<string, string>;
  /** What ids of exchanges begin with, where a capture is made from several files. */
  readonly idPrefix?: string | undefined;
}

export interface WriteOptions {
  /** How much is written at most, for formats that people look at; each has its default. */
  readonly limit?: number | undefined;
}

/**
 * A file format that captures are made from or written in. Each lives in its own file of `kinds/`, as the default
 * export, and is found there.
 */
export interface CaptureFormat {
  /** The value of `--from` and `--to`. */
  readonly format: string;
  /** One phrase for `--help`. */
  readonly about: string;
  /**
   * Reads a file into a sink and gives the number of exchanges.
   * @throws PlugfestError PLUGFEST_IMPORT_FORMAT with the file and the place in it
   */
  readonly read?: (
    bytes: AsyncIterable<Uint8Array>,
    sink: ImportSink,
    options: ImportOptions,
  ) => Promise<number>;
  /** True where writing heeds a limit. */
  readonly limited?: true;
  /** Writes a capture, in pieces of text. */
  readonly write?: (source: CaptureSource, options?: WriteOptions) => Iterable<string>;
}
