import type { ProtocolVersion } from '@plugfest/model';
import { untranslatable } from './codec.ts';
import type { Call, ExtraHeaders } from './meaning.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers without those that belong to every call of the dialect. */
export function extraHeaders(headers: Headers, usual: Headers): ExtraHeaders {
  const extra: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (usual[name] !== value) extra[name] = value;
  for (const name of Object.keys(usual))
    if (headers[name] === undefined) untranslatable(`without its ${name}`);
  // Labels of bodies are one binding's own.
  for (const name of Object.keys(extra))
    if (/^(content-|accept$|transfer-)/i.test(name)) untranslatable(`a ${name} of one binding`);
  return extra;
}

/** What a 1.0 call says in `A2A-Version`: undefined where it is as usual, null where there is none. */
export function announcedBy(headers: Headers): Call['announced'] {
  const version = headers['A2A-Version'] ?? null;
  return version === '1.0' ? undefined : version;
}

export function withoutVersion(headers: Headers): Headers {
  const { 'A2A-Version': _version, ...others } = headers;
  return others;
}

export function versionHeader(announced: Call['announced'], version: ProtocolVersion): Headers {
  if (version === '1.0') return announced === null ? {} : { 'A2A-Version': announced ?? '1.0' };
  // Before 1.0 there is no such header (1.0 section 3.6): what it says wrongly cannot be said there.
  return announced === undefined ? {} : untranslatable('a version header before 1.0');
}

const since10 = 'A2A-Extensions';
const before10 = 'X-A2A-Extensions';

/** Extensions have another header before 1.0, and none in 0.1 (0.2.4 and 0.3: topic page on extensions). */
export function headersFor(headers: ExtraHeaders, version: ProtocolVersion): ExtraHeaders {
  if (version === '1.0') return headers;
  if (headers[before10] !== undefined) return untranslatable('an extension header of another version');
  const { [since10]: extensions, ...others } = headers;
  if (extensions === undefined) return headers;
  return version === '0.1' ? untranslatable('0.1 has no extensions') : { ...others, [before10]: extensions };
}

export function headersFrom(headers: ExtraHeaders, version: ProtocolVersion): ExtraHeaders {
  if (version === '1.0') return headers;
  if (headers[since10] !== undefined) return untranslatable('an extension header of another version');
  const { [before10]: extensions, ...others } = headers;
  return extensions === undefined ? headers : { ...others, [since10]: extensions };
}
