import type { RequestHandler } from 'express';

export interface Answer {
  readonly body: unknown;
  /** `event`: one event of an SSE stream; `whole`: the whole response. */
  readonly form: 'event' | 'whole';
}

/** Middleware that puts other bodies in the place of each JSON body or SSE event; several make several events. */
export function rewritingAnswers(rewrite: (answer: Answer) => readonly unknown[]): RequestHandler {
  return (_request, response, next) => {
    const sendJson = response.json.bind(response);
    const write = response.write.bind(response) as (text: unknown) => boolean;
    response.json = (body) => sendJson(rewrite({ body, form: 'whole' })[0]);
    // The SDK writes each SSE event with one call of `write`.
    response.write = ((text: unknown) => write(rewriteEvent(text, rewrite))) as typeof response.write;
    next();
  };
}

function rewriteEvent(text: unknown, rewrite: (answer: Answer) => readonly unknown[]): unknown {
  const match =
    typeof text === 'string' ? /^(?<head>(?:event: .*\n)?)data: (?<data>.*)\n\n$/.exec(text) : null;
  if (match?.groups?.data === undefined) return text;
  const head = match.groups.head ?? '';
  const bodies = rewrite({ body: JSON.parse(match.groups.data), form: 'event' });
  return bodies.map((body) => `${head}data: ${JSON.stringify(body)}\n\n`).join('');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
