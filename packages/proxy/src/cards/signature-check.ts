import { checkCard, type Jwk, type SignatureStatus } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';

export interface CheckedCard {
  /** For people: how many signatures there are, and what became of each. */
  readonly text: string;
  /**
   * False where a signature is certainly not the publisher's over this card. To sign such a card anew would make a
   * forged one look sound.
   */
  readonly mayResign: boolean;
}

const broken: ReadonlySet<SignatureStatus> = new Set(['void', 'malformed']);

/** Lists that a card has to have. Protobuf does not carry empty ones, so that they may have been signed and are not there. */
const requiredLists: JsonObject = { defaultInputModes: [], defaultOutputModes: [], skills: [] };

/** The same for a card that came as a message of protobuf. */
export function checkMessageSignatures(card: JsonObject, keys: readonly Jwk[]): CheckedCard | undefined {
  const checked = checkSignatures(card, keys);
  if (checked === undefined || checked.mayResign) return checked;
  const completed = checkSignatures({ ...requiredLists, ...card }, keys);
  return completed?.mayResign === true ? completed : checked;
}

/** Checks the signatures of a card as the callee served it, with the keys given; undefined where it has none. */
export function checkSignatures(card: JsonObject, keys: readonly Jwk[]): CheckedCard | undefined {
  const checked = checkCard(card, ({ kid }) =>
    keys.filter((key) => kid !== undefined && key.kid === kid).map((key) => ({ key, certain: true })),
  );
  if (checked.length === 0) return undefined;
  const statuses = checked.map(({ status }) => status);
  const kids = checked.map(
    ({ signature }, i) => `${(signature.kid ?? 'no kid').slice(0, 100)}: ${statuses[i]}`,
  );
  const mayResign = !statuses.some((status) => broken.has(status));
  const noun = checked.length === 1 ? 'signature' : 'signatures';
  return { text: `${checked.length} ${noun} (${kids.join('; ')})`, mayResign };
}
