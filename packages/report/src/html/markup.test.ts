import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileStrings } from '../fixtures/sample-run.ts';
import { printable } from '../printable.ts';
import { escapeHtml, html, jsonData } from './markup.ts';

const anyText = fc.oneof(
  fc.constantFrom(...hostileStrings),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[<>&"'!/a-z-]*$/),
);
const decoded = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? '&',
  );

describe('html', () => {
  it('escapes values and keeps markup', () => {
    expect(
      html`<p title="${'"'}">${html`<b>${'<x>'}</b>`}${['a', '&']}${undefined}${false}${0}</p>`.text,
    ).toBe('<p title="&quot;"><b>&lt;x&gt;</b>a&amp;0</p>');
  });

  it('leaves nothing of any text that could be markup, and the text itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!lt;|gt;|quot;|#39;|amp;)/);
        expect(decoded(escapeHtml(text))).toBe(printable(text));
      }),
    );
  });
});

describe('jsonData', () => {
  it('holds no angle bracket and parses back to the same', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        const { text } = jsonData(value);
        expect(text).not.toMatch(/[<>]/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
