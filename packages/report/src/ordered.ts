/**
 * The members of a JSON document in the order in which they are written. Every member of the type must be named,
 * so a new one cannot be forgotten; an array stands for its elements.
 */
export type Order<T> = T extends readonly (infer Element)[]
  ? Order<Element>
  : T extends object
    ? { readonly [Member in keyof Required<T>]: Order<Required<T>[Member]> | true }
    : true;

function arrange(value: unknown, order: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => arrange(element, order));
  if (typeof value !== 'object' || value === null) return value;
  const members =
    typeof order === 'object' && order !== null ? (order as Readonly<Record<string, unknown>>) : {};
  const known = Object.keys(members);
  const others = Object.keys(value).filter((name) => !known.includes(name));
  const result: Record<string, unknown> = Object.create(null);
  for (const name of [...known, ...others.sort()]) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member !== undefined) result[name] = arrange(member, members[name]);
  }
  return result;
}

/** JSON with members in the given order, others after them by name; two spaces, a line feed at the end. */
export function orderedJson<T>(value: T, order: Order<T>): string {
  return `${JSON.stringify(arrange(value, order), null, 2)}\n`;
}
