import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** Below it a webhook tap takes sealed URLs; no agent or receiver has paths of that name. */
export const sealedPath = '/.plugfest/webhook/';

/** Longest URL that is sealed; senders and proxies refuse much longer ones. */
const maxUrlBytes = 4096;

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Puts a webhook's URL into a path, so that whoever has the key can tell it again, after a restart too, and nobody
 * else can: it may hold a secret. The same URL always gives the same path, since agents and clients compare them.
 */
export class UrlSeal {
  private readonly cipherKey: Buffer;
  private readonly nonceKey: Buffer;

  /** `key`: 32 random bytes. */
  constructor(key: Uint8Array) {
    const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
    this.cipherKey = derive('plugfest webhook url');
    this.nonceKey = derive('plugfest webhook nonce');
  }

  /** Path for `url`, good for webhooks of `sender` only; undefined where it is too long. */
  seal(sender: string, url: string): string | undefined {
    const plain = Buffer.from(url, 'utf8');
    if (plain.length > maxUrlBytes) return undefined;
    // A nonce of the text itself: equal only where all of it is.
    const nonce = createHmac('sha256', this.nonceKey)
      .update(JSON.stringify([sender, url]))
      .digest()
      .subarray(0, nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.cipherKey, nonce);
    cipher.setAAD(Buffer.from(sender, 'utf8'));
    const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return sealedPath + sealed.toString('base64url');
  }

  /** The URL in such a path (no query); undefined where it was not sealed with this key for this sender. */
  open(sender: string, path: string): string | undefined {
    const token = /^\/\.plugfest\/webhook\/([A-Za-z0-9_-]+)$/.exec(path)?.[1];
    if (token === undefined || token.length > 2 * maxUrlBytes) return undefined;
    const sealed = Buffer.from(token, 'base64url');
    // One path for each URL: another spelling of the same bytes is none that was given out.
    if (sealed.length < nonceBytes + tagBytes || sealed.toString('base64url') !== token) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', this.cipherKey, sealed.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(sender, 'utf8'));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    try {
      const plain = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch {
      // Somebody else's, or made up.
      return undefined;
    }
  }
}
