import { countTokens, Scanner, type Secrets } from './scanner.ts';

/** Text in which a secret can be found by what stands before it. */
const suspicious = /[?&#=@"]|[\w']: ?\S|earer |asic /i;

/** A text that is complete, such as a URL: secrets in it replaced. `count` hears of each. */
export function redactText(text: string, secrets: Secrets, count?: (tokens: number) => void): string {
  if (!suspicious.test(text) && !secrets.remembered.mayBeIn(text)) return text;
  const bytes = Buffer.from(text);
  const { edits } = new Scanner(secrets).scan(bytes, 0, 'last', true);
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
