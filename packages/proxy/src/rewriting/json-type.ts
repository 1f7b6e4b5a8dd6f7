/** Media types under which JSON comes; some agents say nothing, or that it is text. */
export const isJsonType = (type: string): boolean =>
  type === '' || type === 'text/plain' || /[/+]json$/.test(type);
