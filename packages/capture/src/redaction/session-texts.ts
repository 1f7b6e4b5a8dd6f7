import { SecretNames } from './names.ts';
import { Remembered } from './remembered.ts';
import { redactText } from './text.ts';
import { Tokens } from './tokens.ts';

/**
 * Replaces what looks like a secret in texts that never go through a capture, such as what a client says of a failure.
 * Equal secrets have equal tokens in the texts of one session; those of a capture are others. `known` are
 * secrets that are replaced wherever they are.
 */
export function textRedaction(known: readonly string[] = []): (text: string) => string {
  const secrets = { names: new SecretNames({}), tokens: new Tokens(), remembered: new Remembered(known) };
  return (text) => redactText(text, secrets);
}
