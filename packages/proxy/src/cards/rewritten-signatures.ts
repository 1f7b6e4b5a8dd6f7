import type { ExchangeId, JsonObject } from '@plugfest/model';
import { jwksPath } from './card-signer.ts';
import type { CardRewriterOptions } from './rewriter-options.ts';
import type { CheckedCard } from './signature-check.ts';

/** What becomes of the signatures of cards whose URLs they cover: they are checked first, and told of. */
export class RewrittenSignatures {
  private readonly options: CardRewriterOptions;

  constructor(options: CardRewriterOptions) {
    this.options = options;
  }

  /** Says how the signatures stand, before anything of the card is touched. */
  checked(exchange: ExchangeId, checked: CheckedCard | undefined): CheckedCard | undefined {
    if (checked !== undefined)
      this.note(exchange, 'card-signatures', `${this.options.callee} served its card with ${checked.text}`);
    return checked;
  }

  /** The lab's own signature of a card; undefined where the lab has no key, or those that the card had were not in order. */
  resign(
    card: JsonObject,
    checked: CheckedCard | undefined,
  ): { readonly protected: string; readonly signature: string } | undefined {
    if (checked?.mayResign === false) return undefined;
    return this.options.signer?.sign(card, this.options.origin() + jwksPath);
  }

  /** Says that signatures are gone, and what took their place. */
  removed(exchange: ExchangeId, resigned: boolean, checked: CheckedCard | undefined): void {
    const what = `The signatures of ${this.options.callee}'s card cover its URLs, which were rewritten`;
    if (resigned) {
      this.note(exchange, 'card-signatures-replaced', `${what}; the lab's own took their place`);
      return;
    }
    const forged = this.options.signer !== undefined && checked?.mayResign === false;
    const why = forged
      ? '; they were removed, and the card was not signed anew, since they were not in order'
      : '; they were removed';
    this.note(exchange, 'card-signatures-removed', what + why);
  }

  private note(exchange: ExchangeId, topic: string, text: string): void {
    this.options.sink.record({ kind: 'note', topic, text, exchange });
  }
}
