import { printable, shorten } from '../printable.ts';
import { html, type Markup } from './markup.ts';

/** A part of the page with a heading and an entry in the navigation. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly tally?: string;
  readonly content: Markup;
}

/** A name or text from elsewhere: isolated, so that its direction cannot reach its surroundings. */
export const wire = (text: string, characters = 400): Markup =>
  html`<bdi>${shorten(printable(text), characters)}</bdi>`;
export const code = (text: string, characters = 2000): Markup => html`<code>${wire(text, characters)}</code>`;

export const link = (kind: 'cell' | 'exchange', id: string): string =>
  `#${kind}=${encodeURIComponent(printable(id))}`;

/** Permalinks to some cells. */
export function cellLinks(ids: readonly string[], shown = 4): Markup {
  const rest = ids.length - shown;
  return html`${ids.slice(0, shown).map((id, index) => html`${index > 0 ? ', ' : ''}<a class="mono" href="${link('cell', id)}">${wire(id, 120)}</a>`)}${rest > 0 && html` <span class="dim">and ${rest} more</span>`}`;
}
