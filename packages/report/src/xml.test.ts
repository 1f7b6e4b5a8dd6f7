import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { hostileStrings } from './fixtures/sample-run.ts';
import { printable } from './printable.ts';
import { xml } from './xml.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
});

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...hostileStrings));

/** The characters of XML 1.0, section 2.2. */
const xmlCharacters = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

describe('xml', () => {
  it('carries any text through an attribute and an element', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const document = xml({
          name: 'a',
          attributes: { value: text },
          content: [{ name: 'b', attributes: {}, content: `-${text}-` }],
        });
        expect(XMLValidator.validate(document)).toBe(true);
        expect(document).toMatch(xmlCharacters);
        const parsed: unknown = parser.parse(document);
        expect(parsed).toMatchObject({ a: { value: printable(text), b: `-${printable(text)}-` } });
      }),
    );
  });

  it('never closes a CDATA section or opens a tag', () => {
    expect(xml({ name: 'a', attributes: {}, content: ']]><x>&' })).toBe('<a>]]&gt;&lt;x&gt;&amp;</a>\n');
  });

  it('leaves out attributes that are undefined', () => {
    expect(xml({ name: 'a', attributes: { x: undefined, y: 0 } })).toBe('<a y="0"/>\n');
  });
});
