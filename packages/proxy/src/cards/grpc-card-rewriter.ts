import { grpcCard, grpcUrlFields } from '@plugfest/a2a';
import { type Change, type ExchangeId, header } from '@plugfest/model';
import type { Answer } from '../rewriting/answer.ts';
import { fieldsForBody } from '../rewriting/body-fields.ts';
import { editMessages } from '../rewriting/grpc-messages.ts';
import { editUrls, lengthDelimited } from '../rewriting/protobuf-edit.ts';
import type { RewrittenBody } from '../rewriting/rewritten-body.ts';
import type { InterfaceUrl } from './card-text.ts';
import type { InterfaceOrigins } from './interface-origins.ts';
import type { CardRewriterOptions } from './rewriter-options.ts';
import type { RewrittenSignatures } from './rewritten-signatures.ts';
import { type CheckedCard, checkMessageSignatures } from './signature-check.ts';

/** Puts a tap's address into the cards in messages of gRPC, whose unknown fields stay. */
export class GrpcCardRewriter {
  private readonly options: CardRewriterOptions;
  private readonly origins: InterfaceOrigins;
  private readonly signatures: RewrittenSignatures;

  constructor(options: CardRewriterOptions, origins: InterfaceOrigins, signatures: RewrittenSignatures) {
    this.options = options;
    this.origins = origins;
    this.signatures = signatures;
  }

  /** As `CardRewriter.rewrite`. */
  async rewrite(
    exchange: ExchangeId,
    { rpc = '' }: Answer,
    headers: readonly string[],
    chunks: readonly Buffer[],
    wanted: () => boolean,
  ): Promise<RewrittenBody | undefined> {
    const { callee, maxCardBytes, keys, sink, tags } = this.options;
    const { signatures } = this;
    const found = grpcUrlFields(rpc, 'response');
    if (found === undefined) return undefined;
    const { fields } = found;
    const received = Buffer.concat(chunks);
    const encoding = header(headers, 'grpc-encoding');
    const urls: InterfaceUrl[] = [];
    let checked: CheckedCard | undefined;
    const looked = editMessages(received, encoding, maxCardBytes, (message) => {
      const card = grpcCard(rpc, message);
      checked = card && signatures.checked(exchange, checkMessageSignatures(card, keys));
      editUrls(message, fields, (place) => {
        urls.push(place);
        return undefined;
      });
      return undefined;
    });
    if (looked.kind === 'unreadable') {
      const text = `${callee}'s card was passed on untouched: ${looked.why}`;
      sink.record({ kind: 'note', topic: 'card-not-rewritten', text, exchange });
      return undefined;
    }
    const replacements = await this.origins.replacementsFor(exchange, urls, wanted);
    if (replacements === undefined) return undefined;
    const changes: Change[] = [];
    const side = 'response';
    let unsigned = false;
    let resigned = false;
    const resign = (message: Buffer): Buffer | undefined => {
      const card = grpcCard(rpc, message);
      const entry = card && signatures.resign(card, checked);
      resigned = entry !== undefined;
      // `protected` and `signature` of AgentCardSignature, in both packages.
      return (
        entry &&
        Buffer.concat([
          lengthDelimited(1, Buffer.from(entry.protected)),
          lengthDelimited(2, Buffer.from(entry.signature)),
        ])
      );
    };
    const edited = editMessages(received, encoding, maxCardBytes, (message) => {
      const replace = ({ pointer, url }: InterfaceUrl): string | undefined => {
        const after = replacements.get(url);
        if (after !== undefined && after !== url) {
          changes.push({ side, place: 'body', where: pointer, before: url, after, reason: 'card-url' });
        }
        return after;
      };
      const result = editUrls(message, fields, replace, resign);
      for (const signature of result?.removedSignatures ?? []) {
        unsigned = true;
        const before = signature.toString('base64');
        changes.push({ side, place: 'body', where: '/signatures', before, reason: 'card-signatures' });
      }
      return result?.bytes;
    });
    if (edited.kind !== 'edited') return undefined;
    if (unsigned) signatures.removed(exchange, resigned, checked);
    const mapped = fieldsForBody(headers, edited.body, {
      side,
      reason: 'card-url',
      decoded: false,
      framing: 'as-received',
      entityTag: (tag) => tags().outward(tag),
    });
    return {
      headers: mapped.headers,
      body: edited.body,
      changes: [...changes, ...mapped.changes],
      keepsTrailers: true,
    };
  }
}
