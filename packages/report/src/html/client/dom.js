// Building the page by DOM calls alone, so that no text becomes markup.

/** @typedef {Node | string | undefined | false | null | 0} Child Those that are no node and no text are left out. */
/** @typedef {Child | readonly Child[] | readonly (readonly Child[])[]} Children */
/** @typedef {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} Attributes Functions are listeners. */

/**
 * An HTML element.
 * @param {string} name
 * @param {Attributes} attributes
 * @param {...Children} children
 */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 * @param {string} name
 * @param {Attributes} attributes
 * @param {...Children} children
 */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

/**
 * @template {Element} Target
 * @param {Target} node
 * @param {Attributes} attributes
 * @param {readonly Children[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of /** @type {Child[]} */ (children.flat(3)))
    if (typeof child === 'string' || child instanceof Node) node.append(child);
  return node;
}

/** @param {string} text Text from elsewhere: its direction stays within. */
export const bdi = (text) => el('bdi', {}, text);

/** @param {string} id */
export const cellLink = (id) => `#cell=${encodeURIComponent(id)}`;

/** @param {string} id */
export const exchangeLink = (id) => `#exchange=${encodeURIComponent(id)}`;

/**
 * A list of labels and values, without those that have none.
 * @param {readonly (readonly [label: string, value: Child])[]} entries
 */
export function pairs(entries) {
  const shown = entries.filter(([, value]) => value);
  return el(
    'dl',
    { class: 'pairs' },
    shown.map(([label, value]) => [el('dt', {}, label), el('dd', {}, value)]),
  );
}

/**
 * @param {string} text
 * @param {number} characters
 */
export const fit = (text, characters) =>
  text.length > characters ? `${text.slice(0, Math.max(1, characters - 1))}…` : text;
