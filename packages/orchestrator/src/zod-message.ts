/** What zod says is wrong, as the rest of a line that has begun. */
export function plainMessage(message: string): string {
  const text = message.replace(/^Invalid (?:input|option): /, '');
  return text.charAt(0).toLowerCase() + text.slice(1);
}
