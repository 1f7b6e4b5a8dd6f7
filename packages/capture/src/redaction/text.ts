import { countTokens, rememberFrom, Scanner, type Secrets } from './scanner.ts';
import { isToken } from './tokens.ts';

/** Text in which a secret can be found by what stands before it. */
const suspicious = /[?&#=@"]|[\w']: ?\S|earer |asic /i;

/** A text that is complete, such as a URL: secrets in it replaced. `count` hears of each. */
export function redactText(text: string, secrets: Secrets, count?: (tokens: number) => void): string {
  if (!suspicious.test(text) && !secrets.remembered.mayBeIn(text)) return text;
  const bytes = Buffer.from(text);
  const { edits } = new Scanner(secrets).scan(bytes, 0, 'last');
  if (edits.length === 0) return text;
  count?.(countTokens(edits));
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text: token } of edits) {
    pieces.push(bytes.subarray(at, start), typeof token === 'string' ? Buffer.from(token) : token);
    at = end;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces).toString('utf8');
}

/** What is stored in place of a text that is secret as a whole. */
export function tokenFor(secret: string, secrets: Secrets, count?: (tokens: number) => void): string {
  if (secret === '' || isToken(secret)) return secret;
  count?.(1);
  if (secret.length >= rememberFrom) secrets.remembered.add(secret);
  return secrets.tokens.of(secret);
}
