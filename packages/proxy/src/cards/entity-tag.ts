/**
 * A rewritten card is another entity than the callee's, so it needs another tag; and a client that
 * revalidates with that tag has to be understood by the callee. The tag therefore carries the callee's own,
 * and a mark of the tap that rewrote it. It is weak: the callee may serve the same card in other bytes.
 */
export class EntityTags {
  private readonly mark: string;

  /** `mark`: short text that differs from tap to tap; letters and digits. */
  constructor(mark: string) {
    this.mark = mark;
  }

  /** Tag for the client in place of the callee's `tag`; undefined where that is no entity tag. */
  outward(tag: string): string | undefined {
    const match = /^(W\/)?"([^"]*)"$/.exec(tag.trim());
    if (match === null) return undefined;
    return `W/"${match[2]}.${match[1] === undefined ? 's' : 'w'}-plugfest-${this.mark}"`;
  }

  /**
   * Value of `If-None-Match` for the callee: our tags become its own again. Others are left out, because they
   * name bytes that this client did not get from us; undefined where none is left.
   */
  inward(condition: string): string | undefined {
    if (condition.trim() === '*') return condition;
    const end = `-plugfest-${this.mark}`;
    const tags: string[] = [];
    for (const [, opaque = ''] of condition.matchAll(/(?:W\/)?"([^"]*)"/g)) {
      if (!opaque.endsWith(`.s${end}`) && !opaque.endsWith(`.w${end}`)) continue;
      const original = opaque.slice(0, -end.length - 2);
      tags.push(opaque.at(-end.length - 1) === 'w' ? `W/"${original}"` : `"${original}"`);
    }
    return tags.length === 0 ? undefined : tags.join(', ');
  }
}
