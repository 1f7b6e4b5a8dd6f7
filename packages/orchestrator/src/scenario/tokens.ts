import type { ScenarioContext } from './context.ts';
import { clip } from './expect.ts';

/** Every token is in the text, once, and in this order. */
export function checkInOrder(
  context: Pick<ScenarioContext, 'check'>,
  what: string,
  tokens: readonly string[],
  text: string,
): void {
  const places = tokens.map((token) => text.indexOf(token));
  const missing = places.filter((place) => place < 0).length;
  context.check(
    `every token comes back ${what}`,
    missing === 0,
    `${missing} of ${tokens.length} are missing: ${clip(text) || 'no text'}`,
  );
  context.check(
    `no token comes back twice ${what}`,
    tokens.every((token) => text.indexOf(token) === text.lastIndexOf(token)),
    clip(text),
  );
  context.check(
    `the tokens come back in order ${what}`,
    places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1)),
    clip(text),
  );
}
