import { readFileSync, statSync } from 'node:fs';
import { type Jwk, KeyFileError, readKeys } from '@plugfest/a2a';
import { PlugfestError } from '@plugfest/model';

/** Larger than any set of keys that people trust. */
const mostBytes = 1024 * 1024;

/**
 * The public keys of a file, for card signatures. `name` is how the user calls the file.
 * @throws PlugfestError PLUGFEST_KEYS
 */
export function readKeyFile(name: string, path: string): readonly Jwk[] {
  const refuse = (what: string, cause?: unknown): PlugfestError =>
    new PlugfestError('PLUGFEST_KEYS', `${name}: ${what}`, {
      hint: 'Give a JSON file with a public key as JWK, an array of them, or a JWK set (RFC 7517).',
      ...(cause === undefined ? {} : { cause }),
    });
  let text: string;
  try {
    const found = statSync(path);
    // To read a pipe is to wait for whoever writes to it. What a directory is, reading it says.
    if (!found.isFile() && !found.isDirectory())
      throw refuse('is a pipe, socket or device, and no regular file');
    if (found.size > mostBytes) throw refuse(`larger than the ${mostBytes} bytes that a key file may have`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof PlugfestError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw refuse(`cannot be read (${code})`, error);
  }
  try {
    return readKeys(text);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    throw refuse(error.message, error);
  }
}
