import type { ExchangeSummary, HopLink } from '@plugfest/model';
import { prepareHops } from './linking/hops.ts';
import type { LinkerInput } from './linking/linker.ts';
import { Linker } from './linking/linker.ts';

export interface LinkInput extends LinkerInput {
  /** All exchanges of the run, in order of observation. */
  readonly summaries: readonly ExchangeSummary[];
}

/**
 * Says which exchange caused which: our span id, our trace id, the listener of the cell, protocol ids, a text
 * that went through, the sole open call, in this order. Where evidence is ambiguous the link has no parent and
 * lists its candidates. Hops of the harness, and hops of agents that nothing had reached before, get no link.
 */
export function linkHops(input: LinkInput): readonly HopLink[] {
  const hops = prepareHops(input.summaries);
  const causes = new Linker(hops, input).link();
  const idAt = (index: number) => hops[index]?.summary.id;
  const links: { readonly seq: number; readonly link: HopLink }[] = [];
  for (const [index, hop] of hops.entries()) {
    const cause = causes[index];
    if (cause === undefined) continue;
    const parent = cause.parent === undefined ? undefined : idAt(cause.parent);
    const link: HopLink = {
      exchange: hop.summary.id,
      ...(parent === undefined ? {} : { parent }),
      method: cause.method,
      confidence: cause.confidence,
      also: cause.also.flatMap((each) => {
        const exchange = idAt(each.index);
        return exchange === undefined ? [] : [{ exchange, reason: each.reason }];
      }),
    };
    links.push({ seq: hop.summary.seq, link });
  }
  return links.sort((a, b) => a.seq - b.seq).map(({ link }) => link);
}
