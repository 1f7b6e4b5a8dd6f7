import type { Jwk } from '@plugfest/a2a';
import type { CaptureSink } from '@plugfest/model';
import type { CardSigner } from './card-signer.ts';
import type { EntityTags } from './entity-tag.ts';
import type { UrlMapOptions } from './url-map.ts';

export interface CardRewriterOptions {
  readonly sink: CaptureSink;
  readonly callee: string;
  /** Origin of the tap, which takes the place of the callee's. */
  readonly origin: () => string;
  readonly tags: () => EntityTags;
  readonly urls: UrlMapOptions;
  /** Before and after content decoding. */
  readonly maxCardBytes: number;
  /** Keys that publishers are known to sign with. */
  readonly keys: readonly Jwk[];
  /** Signs what was signed and had to be changed; such signatures are removed where it is absent. */
  readonly signer: CardSigner | undefined;
  /** Origin of a tap to another origin of the callee; opens it where there is none. Throws where it may not. */
  readonly openSibling: (origin: string) => Promise<string>;
  /** The same where it is open already. */
  readonly siblingAt: (origin: string) => string | undefined;
}
