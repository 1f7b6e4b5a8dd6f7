import type { DecodedExchange } from '@plugfest/a2a';

/**
 * Remembers what was worked out of the exchange that was asked about last. Rules are applied to one exchange after the
 * other, so what many of them need is worked out once, and nothing has to be looked up. Other subjects than exchanges
 * are remembered the same way.
 */
export function onceForEach<Result, Subject extends object = DecodedExchange>(
  work: (subject: Subject) => Result,
): (subject: Subject) => Result {
  let last: { readonly subject: Subject; readonly result: Result } | undefined;
  return (subject) => {
    if (last?.subject !== subject) last = { subject, result: work(subject) };
    return last.result;
  };
}

/** Remembers what was worked out of a list, or another object that many exchanges share, for as long as that is there. */
export function onceForShared<Result extends object, Shared extends object>(
  work: (shared: Shared) => Result,
): (shared: Shared) => Result {
  const known = new WeakMap<Shared, Result>();
  return (shared) => {
    const before = known.get(shared);
    if (before !== undefined) return before;
    const result = work(shared);
    known.set(shared, result);
    return result;
  };
}

/**
 * The same for what depends on the traffic before the exchange as well. A conversation says the same of an exchange
 * until that is added to it; only then are others asked about.
 */
export function onceForEachIn<Context extends object, Result>(
  work: (exchange: DecodedExchange, context: Context) => Result,
): (exchange: DecodedExchange, context: Context) => Result {
  let last:
    | { readonly exchange: DecodedExchange; readonly context: Context; readonly result: Result }
    | undefined;
  return (exchange, context) => {
    if (last?.exchange !== exchange || last.context !== context)
      last = { exchange, context, result: work(exchange, context) };
    return last.result;
  };
}
