import type { User } from '@a2a-js/sdk/server';
import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import type { RequestHandler } from 'express';
import type { Principals } from './principals.ts';

/**
 * Who may call. The SDK asks the application for the caller's identity and keeps the tasks of each apart; refusing
 * a call is the application's, so that is here.
 */
export interface Authentication {
  /** Refuses what carries no known token, before the SDK sees it. */
  readonly middleware: RequestHandler;
  readonly interceptor: ServerInterceptor;
  /** Whom the SDK is told, given the value of `Authorization`. */
  readonly userOf: (authorization: string | undefined) => Promise<User>;
}

/** RFC 6750: the challenge names the error only where a token was given. */
const challenges = { missing: 'Bearer', unknown: 'Bearer error="invalid_token"' };

export function bearerAuthentication(principals: Principals): Authentication {
  const nameIn = (authorization: string | undefined) => principals.nameOf(bearerToken(authorization) ?? '');
  return {
    middleware(request, response, next) {
      const { authorization } = request.headers;
      if (nameIn(authorization) !== undefined) return next();
      const given = bearerToken(authorization) !== undefined;
      response.setHeader('WWW-Authenticate', given ? challenges.unknown : challenges.missing);
      response.status(401).type('text/plain').send('Unauthorized');
    },
    interceptor(_method, call) {
      return new ServerInterceptingCall(call, {
        start(next) {
          next({
            onReceiveMetadata(metadata, pass) {
              if (nameIn(metadata.get('authorization')[0]?.toString()) !== undefined) return pass(metadata);
              call.sendStatus({ code: status.UNAUTHENTICATED, details: 'no known bearer token' });
            },
          });
        },
      });
    },
    async userOf(authorization) {
      const userName = nameIn(authorization);
      if (userName === undefined) throw new Error('a call without a known token came past the refusal');
      return { isAuthenticated: true, userName };
    },
  };
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(?<token>\S+)$/i.exec(authorization ?? '')?.groups?.token;
}
