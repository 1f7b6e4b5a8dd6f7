import { isUtf8 } from 'node:buffer';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { readJson } from '../json-text.ts';
import { fromBase64url } from './base64url.ts';

/** More of a signature than this is not read. */
const longestMember = 64 * 1024;

/** Why a `protected` member gives no header. */
export type ProtectedFault = 'absent' | 'base64url' | 'utf8' | 'json';

/** An entry of `AgentCard.signatures`: the members of a flattened JWS without its payload (A2A 1.0 section 8.4.2). */
export interface CardSignature {
  readonly index: number;
  readonly pointer: string;
  /** As found. */
  readonly value: Json;
  readonly protected: string | undefined;
  readonly signature: string | undefined;
  /** The unprotected header, as found. */
  readonly header: Json | undefined;
  /** The protected header, decoded. */
  readonly protectedHeader: JsonObject | undefined;
  readonly protectedFault: ProtectedFault | undefined;
  readonly alg: string | undefined;
  readonly kid: string | undefined;
  readonly jku: string | undefined;
}

function readProtected(text: string | undefined): JsonObject | ProtectedFault {
  if (text === undefined || text.length > longestMember) return 'absent';
  const bytes = fromBase64url(text);
  if (bytes === undefined) return 'base64url';
  if (!isUtf8(bytes)) return 'utf8';
  const { value } = readJson(bytes.toString('utf8'), true, true);
  return isJsonObject(value) ? value : 'json';
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

function readSignature(value: Json, index: number): CardSignature {
  const entry = isJsonObject(value) ? value : {};
  const found = readProtected(textOf(entry.protected));
  const protectedHeader = typeof found === 'string' ? undefined : found;
  return {
    index,
    pointer: `/signatures/${index}`,
    value,
    protected: textOf(entry.protected),
    signature: textOf(entry.signature),
    header: entry.header ?? undefined,
    protectedHeader,
    protectedFault: typeof found === 'string' ? found : undefined,
    alg: textOf(protectedHeader?.alg),
    kid: textOf(protectedHeader?.kid),
    jku: textOf(protectedHeader?.jku),
  };
}

/** How many signatures of one card are read. */
const mostSignatures = 16;

/** The signatures of a card, whatever their state; empty where there are none. */
export function cardSignatures(card: JsonObject): readonly CardSignature[] {
  const { signatures } = card;
  return Array.isArray(signatures) ? signatures.slice(0, mostSignatures).map(readSignature) : [];
}
