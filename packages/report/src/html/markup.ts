import { printable } from '../printable.ts';

/** HTML that may be inserted as it is. Only `html` and `trusted` make it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Markup | string | number | undefined | false | readonly Value[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function insert(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(insert).join('');
  return escapeHtml(String(value));
}

/** A template whose values are escaped, unless they are `Markup`. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(strings.map((part, index) => part + insert(values[index])).join(''));
}

/** Our own style sheet and script. Never for anything that came from elsewhere. */
export const trusted = (text: string): Markup => new Markup(text);

/** JSON for a `<script type="application/json">`: no `<` is left that could end the element or open a comment. */
export function jsonData(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'));
}
