import { grpcUrlFields, type UrlFields } from '@plugfest/a2a';
import { header, mediaType } from '@plugfest/model';
import { type Answer, configAsBody } from '../rewriting/answer.ts';
import { isJsonType } from '../rewriting/json-type.ts';

/** How a request may carry push configs, and how its answer may, as far as its head tells. */
export interface PushCall {
  /** Its body has to be looked at as a whole before it goes on; absent where it can hold none. */
  readonly body?:
    | { readonly kind: 'json'; readonly isConfig: boolean }
    | { readonly kind: 'grpc'; readonly fields: UrlFields };
  readonly answer?: Answer;
}

/** `…/tasks/{id}/pushNotificationConfigs` and `…/{configId}`; A2A 1.0 section 11.3, with or without `/v1`. */
const configPath = /\/tasks\/[^/]+\/pushNotification(?:Config)?s(?:\/[^/]+)?\/?$/;

const restCreate: PushCall = { body: { kind: 'json', isConfig: true }, answer: configAsBody };
const restRead: PushCall = { answer: configAsBody };
const anyJson: PushCall = { body: { kind: 'json', isConfig: false } };

const isGrpc = (type: string): boolean => /^application\/grpc(?:-web)?(?:\+proto)?$/.test(type);

function grpcCall(path: string): PushCall | undefined {
  const sent = grpcUrlFields(path, 'request');
  const answered = grpcUrlFields(path, 'response');
  const body = sent?.what === 'push-config' ? ({ kind: 'grpc', fields: sent.fields } as const) : undefined;
  const answer = answered === undefined ? undefined : grpcAnswer(path, answered.what);
  if (body === undefined && answer === undefined) return undefined;
  return { ...(body === undefined ? {} : { body }), ...(answer === undefined ? {} : { answer }) };
}

const grpcAnswer = (rpc: string, what: Answer['what']): Answer => ({ what, within: 'grpc', rpc });

/** A gRPC call whose answer holds a card or push configs. */
export function grpcAnswerOf(path: string, headers: readonly string[]): Answer | undefined {
  if (!isGrpc(mediaType(header(headers, 'content-type')))) return undefined;
  const answered = grpcUrlFields(path, 'response');
  return answered === undefined ? undefined : grpcAnswer(path, answered.what);
}

/** Undefined for a request that has nothing to do with push configs. */
export function pushCallOf(method: string, target: string, headers: readonly string[]): PushCall | undefined {
  if (method !== 'POST' && method !== 'GET' && method !== 'PUT') return undefined;
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (method === 'GET') return configPath.test(path) ? restRead : undefined;
  const type = mediaType(header(headers, 'content-type'));
  if (isGrpc(type)) return grpcCall(path);
  if (!isJsonType(type)) return undefined;
  return configPath.test(path) ? restCreate : anyJson;
}
