import type { CellResult } from '@plugfest/model';
import type { Dialect } from '../driver/drive.ts';

/** What happens in a run, as it happens. Data: whoever listens prints it. */
export type ProgressEvent =
  | { readonly kind: 'agent-starting'; readonly agent: string }
  | {
      readonly kind: 'agent-started';
      readonly agent: string;
      readonly about: string;
      /** Where it serves: the origin of its card, then those that the lab declares. */
      readonly origins: readonly string[];
      /** The same as its peers know them in `alias` mode, each with where it is. */
      readonly aliases: ReadonlyMap<string, string>;
      /** Path of its card. */
      readonly cardPath: string;
    }
  | {
      readonly kind: 'agent-ready';
      readonly agent: string;
      readonly about: string;
      readonly cardUrl: string;
      readonly dialects: readonly Dialect[];
    }
  | { readonly kind: 'agent-problem'; readonly agent: string; readonly reason: string }
  | { readonly kind: 'agent-ended'; readonly agent: string; readonly how: string }
  | { readonly kind: 'planned'; readonly cells: number }
  | { readonly kind: 'cell-started'; readonly cell: string }
  | {
      readonly kind: 'cell-finished';
      readonly result: CellResult;
      readonly done: number;
      readonly total: number;
    }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'stopping' };
