import type { ExchangeId } from '@plugfest/model';
import type { Answer } from '../rewriting/answer.ts';
import type { RewrittenBody } from '../rewriting/rewritten-body.ts';
import { CardHeads } from './card-heads.ts';
import { GrpcCardRewriter } from './grpc-card-rewriter.ts';
import { InterfaceOrigins } from './interface-origins.ts';
import { JsonCardRewriter } from './json-card-rewriter.ts';
import type { CardRewriterOptions } from './rewriter-options.ts';
import { RewrittenSignatures } from './rewritten-signatures.ts';

/** Puts a tap's address into the cards that pass through it, in whatever form they come. */
export class CardRewriter {
  readonly heads: CardHeads;
  private readonly tags: CardRewriterOptions['tags'];
  private readonly json: JsonCardRewriter;
  private readonly grpc: GrpcCardRewriter;

  constructor(options: CardRewriterOptions) {
    const origins = new InterfaceOrigins(options);
    const signatures = new RewrittenSignatures(options);
    this.tags = options.tags;
    this.heads = new CardHeads(options, origins);
    this.json = new JsonCardRewriter(options, origins, signatures);
    this.grpc = new GrpcCardRewriter(options, origins, signatures);
  }

  /** Tag for the client in place of the callee's. */
  outwardTag(tag: string): string | undefined {
    return this.tags().outward(tag);
  }

  /**
   * The card with our URLs; undefined where nothing has to change, and then nothing may. Gives up without one as soon
   * as `wanted` says that nobody waits for it.
   */
  rewrite(
    exchange: ExchangeId,
    answer: Answer,
    headers: readonly string[],
    chunks: readonly Buffer[],
    wanted: () => boolean,
  ): Promise<RewrittenBody | undefined> {
    const { within } = answer;
    return within === 'grpc'
      ? this.grpc.rewrite(exchange, answer, headers, chunks, wanted)
      : this.json.rewrite(exchange, within, headers, chunks, wanted);
  }
}
