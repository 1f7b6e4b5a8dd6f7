import { PlugfestError } from '@plugfest/model';

export type Environment = Readonly<Record<string, string | undefined>>;

const signalPath = 'v1/traces';

const set = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined);

/**
 * Where traces go, by the rules of the OTLP exporter specification: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT as it is,
 * else OTEL_EXPORTER_OTLP_ENDPOINT with `v1/traces` appended. An endpoint given by hand wins; `v1/traces` is
 * appended where it has no path. Undefined where none is set: nothing is sent anywhere by default.
 */
export function otlpEndpoint(env: Environment, given?: string): URL | undefined {
  const traces = set(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  const base = set(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const text = set(given) ?? traces ?? (base && `${base.replace(/\/$/, '')}/${signalPath}`);
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new PlugfestError('PLUGFEST_TELEMETRY_EXPORT', `The OTLP endpoint is no http or https URL.`, {
      hint: 'Give one like http://localhost:4318; see OTEL_EXPORTER_OTLP_ENDPOINT.',
    });
  }
  if (set(given) !== undefined && url.pathname === '/') url.pathname = `/${signalPath}`;
  return url;
}

/** The endpoint without user, password, query and fragment: any of them may be a credential. */
export const printableEndpoint = (url: URL): string => `${url.origin}${url.pathname}`;

/** `name=value` pairs, percent-encoded and separated by commas; those for traces win. */
export function otlpHeaders(env: Environment): Readonly<Record<string, string>> {
  const pairs = [env.OTEL_EXPORTER_OTLP_HEADERS, env.OTEL_EXPORTER_OTLP_TRACES_HEADERS]
    .flatMap((value) => (value ?? '').split(','))
    .map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair))
    .filter((match) => match !== null);
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decoded(value)]));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Milliseconds; what is set to nonsense counts as not set. At most a minute: an export must come to an end. */
export function otlpTimeoutMs(env: Environment): number {
  const text = set(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT) ?? set(env.OTEL_EXPORTER_OTLP_TIMEOUT);
  const value = Number(text ?? 10_000);
  return Number.isFinite(value) && value > 0 ? Math.min(value, 60_000) : 10_000;
}
