import { canonicalOrigin } from './cards/url-map.ts';
import type { ProxiedParticipant } from './interposer-options.ts';

/** Where the participants of a session are, as far as that was declared. */
export class Participants {
  private readonly origins = new Map<string, Set<string>>();
  private readonly cardPaths = new Map<string, Set<string>>();
  /** By participant: canonical origins by which it calls itself, and where it is. */
  private readonly aliases = new Map<string, Map<string, string>>();

  /** Declares a participant, or more of one. */
  add(name: string, { origins, cardPaths = [], aliases = new Map() }: ProxiedParticipant): void {
    const known = this.origins.get(name) ?? new Set();
    for (const origin of origins) known.add(origin);
    this.origins.set(name, known);
    const paths = this.cardPaths.get(name) ?? new Set();
    for (const path of cardPaths) paths.add(path.replace(/[?#].*$/s, ''));
    if (paths.size > 0) this.cardPaths.set(name, paths);
    const others = this.aliases.get(name) ?? new Map();
    for (const [alias, origin] of aliases) others.set(canonicalOrigin(alias) ?? alias, origin);
    if (others.size > 0) this.aliases.set(name, others);
  }

  /** All origins of a participant, those included by which it only calls itself. */
  originsOf(name: string): readonly string[] {
    return [...(this.origins.get(name) ?? []), ...(this.aliases.get(name)?.keys() ?? [])];
  }

  /** Paths at which it has its card beside those of the protocol; undefined where there are none. */
  cardPathsOf(name: string): ReadonlySet<string> | undefined {
    return this.cardPaths.get(name);
  }

  /** The origin at which a participant is reached from here, by one of those that it is known by. */
  reachedAt(name: string, origin: string): string {
    return this.aliases.get(name)?.get(canonicalOrigin(origin) ?? origin) ?? origin;
  }

  /** The participant other than `callee` that an origin is declared for. */
  ownerOf(canonical: string, callee: string): string | undefined {
    for (const [name, origins] of this.origins) {
      if (name === callee) continue;
      for (const origin of origins) if (canonicalOrigin(origin) === canonical) return name;
    }
    return undefined;
  }
}
