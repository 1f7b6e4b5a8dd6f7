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
  | 'grpc-details'
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
  ].map((name) => [name, 'secret'] as const),
];

/** Query and form fields, and fragments. Shorter names than in JSON: here `key` and `code` are what they seem. */
const fields = new Set([
  ...members.map(([name]) => name),
  ...['key', 'sig', 'signature', 'code', 'auth', 'credential', 'pass', 'pwd', 'jwt', 'assertion'],
  ...['xamzsignature', 'xamzsecuritytoken', 'xamzcredential', 'xgoogsignature', 'xgoogcredential'],
]);

const headerNames = /(^|-)(api-?key|token|secret|password|credentials?|signature-key)$/;

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

  field(name: string): boolean {
    return fields.has(normalise(name)) || this.#members.has(normalise(name));
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
    if (name === 'authorization' || name === 'proxy-authorization') return 'authorization';
    if (name === 'cookie' || name === 'set-cookie' || name === 'grpc-message') return name;
    if (name === 'sec-websocket-protocol') return 'subprotocols';
    if (name === 'grpc-status-details-bin') return 'grpc-details';
    // A2A: `X-A2A-Notification-Token`, `A2A-Notification-Token`; the token of a push configuration.
    return headerNames.test(name) || this.#headers.has(name) ? 'secret' : 'plain';
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
