// Building the page by DOM calls alone, so that no text becomes markup.

/** An element; attributes by name, `on…` as listeners, children as nodes or text. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}
export function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(
    ...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== undefined && child !== false),
  );
  return node;
}
export const bdi = (text) => el('bdi', {}, text);
export const cellLink = (id) => `#cell=${encodeURIComponent(id)}`;
export const exchangeLink = (id) => `#exchange=${encodeURIComponent(id)}`;

export function pairs(entries) {
  const shown = entries.filter(([, value]) => value !== undefined && value !== '');
  return el(
    'dl',
    { class: 'pairs' },
    shown.map(([label, value]) => [el('dt', {}, label), el('dd', {}, value)]),
  );
}

export const fit = (text, characters) =>
  text.length > characters ? `${text.slice(0, Math.max(1, characters - 1))}…` : text;
