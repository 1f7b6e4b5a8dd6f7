import type { RedactionOptions } from './options.ts';

/** Compared without case, `_`, `-`, `.` and blanks: `api_key`, `apiKey` and `API-Key` are one name. */
const normalise = (name: string): string => name.toLowerCase().replace(/[\s._-]+/g, '');

/** What of that a name may begin or end with, as it is in JSON; what else is blank comes as an escape, or in UTF-8. */
const separators = [...' ._-'].map((character) => character.charCodeAt(0));

const isLetterOrDigit = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
const lowerCase = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/**
 * `push`: may be of a push configuration, so it can come back elsewhere; `authorization`: a scheme word stays in the
 * clear; `secret`: anything else.
 */
export type SecretKind = 'push' | 'authorization' | 'secret';

type HeaderKind =
  | 'authorization'
  | 'cookie'
  | 'set-cookie'
  | 'subprotocols'
  | 'grpc-message'
  | 'binary'
  | 'secret'
  | 'plain';

/** JSON members whose string or number values are secret, wherever they occur. */
const members: readonly (readonly [string, SecretKind])[] = [
  // A2A push configurations, all versions: `token`, `authentication.credentials`.
  ['token', 'push'],
  ['credentials', 'push'],
  ['authorization', 'authorization'],
  ['proxyauthorization', 'authorization'],
  ...[
    ...['password', 'passwd', 'passphrase', 'secret', 'clientsecret', 'secretkey', 'privatekey'],
    ...[
      'accesstoken',
      'refreshtoken',
      'idtoken',
      'authtoken',
      'bearertoken',
      'sessiontoken',
      'securitytoken',
    ],
    ...['apikey', 'xapikey', 'accesskey', 'apitoken', 'clientassertion', 'webhooksecret', 'signingkey'],
    // Header fields, where somebody shows in JSON what came.
    ...['cookie', 'setcookie', 'xauthtoken', 'xaccesstoken', 'xapitoken', 'xgoogapikey', 'xauthkey'],
  ].map((name) => [name, 'secret'] as const),
  ['xa2anotificationtoken', 'push'],
  ['a2anotificationtoken', 'push'],
];

/** Query and form fields, and fragments. Shorter names than in JSON: here `key` and `code` are what they seem. */
const fields = new Set([
  ...members.map(([name]) => name),
  ...['key', 'sig', 'signature', 'code', 'auth', 'credential', 'pass', 'pwd', 'jwt', 'assertion'],
  ...['xamzsignature', 'xamzsecuritytoken', 'xamzcredential', 'xgoogsignature', 'xgoogcredential'],
]);

const headerNames =
  /(^|[-_.])(api[-_.]?key|token|secret|password|passwd|pwd|passphrase|credentials?|jwt|(signature|access|secret|private|auth|subscription|functions?)-key)$/;

export class SecretNames {
  readonly #members: ReadonlyMap<string, SecretKind>;
  readonly #headers: ReadonlySet<string>;
  readonly #kinds = new Map<string, HeaderKind>();
  /** Members as they were spelt so far. */
  readonly #spelt = new Map<string, SecretKind | 'plain'>();
  /** By byte: 1 where a member can end with it, in either case. The quick test before the names themselves. */
  readonly lastOfMember = new Uint8Array(256);
  /** By a first letter or digit in lower case and a last byte: 1 where a member can begin and end with them. */
  readonly #ends = new Uint8Array(128 * 256);
  /** Length of the longest member name as it may be spelt, `_` between all letters not counted. */
  readonly longestMember = 48;

  constructor({ headers = [], members: more = [] }: RedactionOptions) {
    this.#members = new Map([...members, ...more.map((name) => [normalise(name), 'secret'] as const)]);
    this.#headers = new Set(headers.map((name) => name.toLowerCase()));
    for (const name of this.#members.keys()) {
      const first = name.charCodeAt(0);
      const last = name.at(-1) ?? '';
      for (const code of [last.toUpperCase().charCodeAt(0), last.charCodeAt(0)]) {
        this.lastOfMember[code & 255] = 1;
        if (first < 128) this.#ends[first * 256 + (code & 255)] = 1;
      }
    }
    for (const separator of separators) this.lastOfMember[separator] = 1;
  }

  member(name: string): SecretKind | undefined {
    const known = this.#spelt.get(name);
    if (known !== undefined) return known === 'plain' ? undefined : known;
    const kind = this.#members.get(normalise(name));
    // Names come from outside: bounded.
    if (this.#spelt.size < 1000) this.#spelt.set(name, kind ?? 'plain');
    return kind;
  }

  /** For a name without percent-encoding. Of `user[password]` and `tokens[]`, as frameworks have it, the last word counts. */
  field(name: string): boolean {
    const field = name.replace(/\[\d*\]$/, '');
    const word = /\[([^[\]]+)\]$/.exec(field)?.[1] ?? field;
    return fields.has(normalise(word)) || this.#members.has(normalise(word));
  }

  /** For a header name as written; `cookie` and `set-cookie` keep their names and attributes. */
  header(name: string): HeaderKind {
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      kind = this.#kindOf(name.toLowerCase());
      // Names come from outside: bounded.
      if (this.#kinds.size < 1000) this.#kinds.set(name, kind);
    }
    return kind;
  }

  #kindOf(name: string): HeaderKind {
    // Gateways keep what came under a name of their own: `X-Original-Authorization`.
    if (/(?:^|-)authorization$/.test(name)) return 'authorization';
    if (/(?:^|-)set-cookie2?$/.test(name)) return 'set-cookie';
    if (/(?:^|-)cookie2?$/.test(name)) return 'cookie';
    if (name === 'grpc-message') return name;
    if (name === 'sec-websocket-protocol') return 'subprotocols';
    if (this.#headers.has(name)) return 'secret';
    // Metadata of gRPC is binary where its name ends so, and in base64 on the wire.
    if (name.endsWith('-bin')) {
      const plain = name.slice(0, -4);
      return plain.endsWith('auth') || this.#kindOf(plain) !== 'plain' ? 'secret' : 'binary';
    }
    // A2A: `X-A2A-Notification-Token`, `A2A-Notification-Token`; the token of a push configuration.
    return headerNames.test(name) ? 'secret' : 'plain';
  }

  /** False only where no member begins with the one byte and ends with the other, as they are after all unquoting. */
  mayBeMember(first: number, last: number): boolean {
    const letter = lowerCase(first);
    const isSure = isLetterOrDigit(letter) && isLetterOrDigit(lowerCase(last));
    return !isSure || this.#ends[letter * 256 + last] === 1;
  }
}

const schemes =
  /^(basic|bearer|digest|dpop|gnap|hoba|mutual|negotiate|ntlm|token|apikey|api-key|aws4-hmac-sha256|scram-sha-(1|256)|vapid)$/i;

/** Splits `Bearer abc` into what stays and what is secret. A scheme word alone, or nothing, is no secret. */
export function splitScheme(value: string): { readonly kept: string; readonly secret: string } {
  const [, word = '', blank = '', rest = ''] = /^\s*(\S+)(\s*)([\s\S]*)$/.exec(value) ?? [];
  if (rest === '') return schemes.test(word) ? { kept: value, secret: '' } : { kept: '', secret: value };
  // An unknown scheme stays too: RFC 9110 section 11.4 allows any token there.
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(word)
    ? { kept: word + blank, secret: rest }
    : { kept: '', secret: value };
}

/** As `splitScheme`, for a value that may hold a scheme but need not: only a known one stays. */
export function splitKnownScheme(value: string): { readonly kept: string; readonly secret: string } {
  const [, word = '', blank = '', rest = ''] = /^(\S+)(\s+)(\S+)$/.exec(value) ?? [];
  return rest !== '' && schemes.test(word)
    ? { kept: word + blank, secret: rest }
    : { kept: '', secret: value };
}
