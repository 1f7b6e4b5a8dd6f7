import { printable } from './printable.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Text of an XML 1.0 element. What XML 1.0 has no way to say (section 2.2: NUL and most controls, lone
 * surrogates, U+FFFE and U+FFFF) is written as `\uXXXX`.
 */
function xmlText(text: string): string {
  return printable(text).replace(/[&<>]/g, (character) => entities[character] ?? character);
}

/** Value of an XML 1.0 attribute, between double quotes; line breaks and tabs survive normalisation (section 3.3.3). */
function xmlAttribute(text: string): string {
  return printable(text)
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  /** Text stands alone, so that no white space is added to it. */
  readonly content?: string | readonly XmlElement[];
}

/** An element, indented; attributes in the order given, undefined ones left out. */
export function xml(element: XmlElement, indent = ''): string {
  const attributes = Object.entries(element.attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join('');
  const open = `${indent}<${element.name}${attributes}`;
  const { content } = element;
  if (content === undefined || content.length === 0) return `${open}/>\n`;
  if (typeof content === 'string') return `${open}>${xmlText(content)}</${element.name}>\n`;
  return `${open}>\n${content.map((child) => xml(child, `${indent}  `)).join('')}${indent}</${element.name}>\n`;
}
