const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const notInValues = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Fields as they leave, each with its line end.
 * @throws TypeError for what would not be one field
 */
export function fieldLines(fields: readonly string[]): string {
  let lines = '';
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fields[i] ?? '';
    const value = fields[i + 1] ?? '';
    if (!token.test(name)) throw new TypeError(`a header field whose name is none: ${JSON.stringify(name)}`);
    if (notInValues.test(value)) throw new TypeError(`a header field with a control character: ${name}`);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/**
 * The head of a response, with the empty line behind it, to be sent as latin1.
 * @throws RangeError or TypeError for what cannot be a head (RFC 9112 section 4)
 */
export function headText(status: number, reason: string, headers: readonly string[]): string {
  if (!(status >= 100 && status <= 999)) throw new RangeError(`Invalid status code: ${status}`);
  if (notInValues.test(reason)) throw new TypeError('a reason phrase with a control character');
  return `HTTP/1.1 ${status} ${reason}\r\n${fieldLines(headers)}\r\n`;
}
