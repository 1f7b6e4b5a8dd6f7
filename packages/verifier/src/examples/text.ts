import type { Json } from '@plugfest/model';
import type { Example, ExampleExchange, GrpcExampleExchange, HttpExampleExchange } from './example.ts';

/** An example as people read traffic: request line, headers, body, and the answer below it. */
export function exampleText(example: Example): string {
  return example.map(exchangeText).join('\n\n');
}

function exchangeText(exchange: ExampleExchange): string {
  const time = exchange.at === undefined ? '' : ` at ${exchange.at}`;
  const head = `${exchange.from} → ${exchange.to}${time}`;
  return [head, ...('grpc' in exchange ? grpcLines(exchange) : httpLines(exchange))].join('\n');
}

function httpLines({ request, response }: HttpExampleExchange): readonly string[] {
  const { method, url } = request;
  const lines = [`${method} ${url}`, ...headerLines(request.headers), ...bodyLines(request)];
  if (response === undefined) return [...lines, '', 'no answer'];
  lines.push('', `HTTP ${response.status}`, ...headerLines(response.headers), ...bodyLines(response));
  for (const event of response.sse ?? [])
    lines.push(...('data' in event ? [`data: ${JSON.stringify(event.data)}`] : rawLines(event)));
  if (response.trailers !== undefined) lines.push(...headerLines(response.trailers));
  if (response.end !== undefined && response.end !== 'closed') lines.push(`(${response.end})`);
  return lines;
}

function grpcLines({ grpc }: GrpcExampleExchange): readonly string[] {
  const { method, metadata = {}, request, response, status, trailers = {}, details } = grpc;
  const answers = response === undefined ? [] : Array.isArray(response) ? response : [response];
  return [
    `gRPC ${method}`,
    ...headerLines(metadata),
    ...(request === undefined ? [] : [pretty(request)]),
    '',
    ...answers.map((message: Json) => pretty(message)),
    status === undefined ? '(no status)' : `grpc-status: ${status}`,
    ...headerLines(trailers),
    ...(details === undefined ? [] : [`details: ${pretty(details)}`]),
  ];
}

const headerLines = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

interface Body {
  readonly body?: Json;
  readonly body_raw?: string;
  readonly body_base64?: string;
}

function bodyLines({ body, body_raw: raw, body_base64: base64 }: Body): readonly string[] {
  if (body !== undefined) return [pretty(body)];
  if (raw !== undefined) return [raw];
  return base64 === undefined ? [] : [`(base64) ${base64}`];
}

function rawLines(event: { readonly raw?: string; readonly raw_base64?: string }): readonly string[] {
  return [event.raw?.trimEnd() ?? `(base64) ${event.raw_base64}`];
}

const width = 100;

/** JSON on one line where it fits, or else a member a line, the same inside. */
function pretty(value: Json, indent = ''): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + short.length <= width) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((element: Json) => pretty(element, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pretty(member, inner)}`);
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`;
}
