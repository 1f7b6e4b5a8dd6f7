import { STATUS_CODES } from 'node:http';

/** What the proxy itself answers, because there is nothing of the callee's to pass on. */
export type ProblemCode =
  | 'bad-request'
  | 'head-too-large'
  | 'request-timeout'
  | 'connect-refused'
  | 'loop'
  | 'unknown-webhook'
  | 'not-declared'
  | 'upstream-unreachable'
  | 'upstream-timeout'
  | 'upstream-protocol'
  | 'shutdown';

const statusOf: Readonly<Record<ProblemCode, number>> = {
  'bad-request': 400,
  'head-too-large': 431,
  'request-timeout': 408,
  'connect-refused': 405,
  loop: 508,
  'unknown-webhook': 404,
  'not-declared': 403,
  'upstream-unreachable': 502,
  'upstream-timeout': 504,
  'upstream-protocol': 502,
  shutdown: 503,
};

export interface Problem {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
}

/** A document of the proxy's own. */
export function ownDocument(body: string, type: string): Problem {
  const headers = [
    'content-type',
    type,
    'content-length',
    String(Buffer.byteLength(body)),
    'connection',
    'close',
  ];
  return { status: 200, headers, body };
}

/** A response (RFC 9457) that nobody can take for the callee's: it names Plugfest, in a header and in the body. */
export function problem(code: ProblemCode, detail: string): Problem {
  const status = statusOf[code];
  const body = JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    producedBy: 'plugfest',
    code,
  });
  return {
    status,
    headers: [
      'content-type',
      'application/problem+json',
      'content-length',
      String(Buffer.byteLength(body)),
      'x-plugfest-error',
      code,
      'connection',
      'close',
    ],
    body,
  };
}

/** The same as bytes of an HTTP/1.1 response, for a connection whose request could not even be parsed. */
export function rawProblem(code: ProblemCode, detail: string): string {
  const { status, headers, body } = problem(code, detail);
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n`;
  for (let i = 0; i + 1 < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}\r\n${body}`;
}
