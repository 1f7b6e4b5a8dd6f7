import { describe, expect, it } from 'vitest';
import { editCard, locateCard } from './card-text.ts';

const supersetCard = `{
  "name" : "B\\u00f6b", "x-unknown": {"url":"http://old/keep", "n": 1.50},
  "url": "http:\\/\\/old\\/jsonrpc", "preferredTransport": "JSONRPC",
  "additionalInterfaces":[{"transport":"HTTP+JSON","url":"http://old/rest"},{"transport":"GRPC","url":"http://old:1"}],
  "supportedInterfaces":[ {"url":"http://old/v1","protocolBinding":"JSONRPC","protocolVersion":"1.0"} ],
  "signatures": [{"protected":"a","signature":"b"}],
  "provider": {"url": "http://old/provider"}, "skills": []
}
`;

describe('locateCard', () => {
  it('finds every interface of a card that speaks 0.3 and 1.0', () => {
    expect(
      locateCard(supersetCard, 'root')?.urls.map(({ pointer, url, binding }) => [pointer, url, binding]),
    ).toEqual([
      ['/url', 'http://old/jsonrpc', 'JSONRPC'],
      ['/additionalInterfaces/0/url', 'http://old/rest', 'HTTP+JSON'],
      ['/additionalInterfaces/1/url', 'http://old:1', 'GRPC'],
      ['/supportedInterfaces/0/url', 'http://old/v1', 'JSONRPC'],
    ]);
  });

  it('finds a card in the result of a call', () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"supportedInterfaces":[{"url":"http://old/v1"}]}}';
    expect(locateCard(text, 'result')?.urls[0]?.pointer).toBe('/result/supportedInterfaces/0/url');
  });

  it('takes no time that grows with the square of the URLs', () => {
    const text = `{"preferredTransport":"JSONRPC"${',"url":""'.repeat(100_000)}}`;
    const found = locateCard(text, 'root')?.urls;
    expect(found).toHaveLength(100_000);
    expect(found?.at(-1)?.binding).toBe('JSONRPC');
  }, 4000);

  it.each([
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32007,"message":"no"}}', 'result'],
    ['<html></html>', 'root'],
    ['[{"url":"http://old"}]', 'root'],
    ['{"url":7,"supportedInterfaces":{"url":"x"},"additionalInterfaces":[1,{"url":null}]}', 'root'],
    ['{"url":"http://old"', 'root'],
  ] as const)('finds nothing in %s', (text, within) => {
    expect(locateCard(text, within)).toBeUndefined();
  });
});

describe('editCard', () => {
  it('changes the URLs and the signatures, and not a byte besides', () => {
    const edited = editCard(supersetCard, 'root', ({ url, binding }) =>
      binding === 'GRPC' ? undefined : url.replace('//old', '//tap:7'),
    );
    expect(edited.text).toBe(`{
  "name" : "B\\u00f6b", "x-unknown": {"url":"http://old/keep", "n": 1.50},
  "url": "http://tap:7/jsonrpc", "preferredTransport": "JSONRPC",
  "additionalInterfaces":[{"transport":"HTTP+JSON","url":"http://tap:7/rest"},{"transport":"GRPC","url":"http://old:1"}],
  "supportedInterfaces":[ {"url":"http://tap:7/v1","protocolBinding":"JSONRPC","protocolVersion":"1.0"} ],
  "provider": {"url": "http://old/provider"}, "skills": []
}
`);
    expect(edited.removedSignatures).toBe('[{"protected":"a","signature":"b"}]');
  });

  it('keeps a list of signatures that is empty', () => {
    const text = '{"url":"http://old/1","signatures":[ ]}';
    expect(editCard(text, 'root', ({ url }) => url.replace('old', 'tap'))).toEqual({
      text: '{"url":"http://tap/1","signatures":[ ]}',
      removedSignatures: undefined,
    });
  });

  it('keeps the signatures of a card in which nothing changed', () => {
    expect(editCard(supersetCard, 'root', () => undefined)).toEqual({
      text: supersetCard,
      removedSignatures: undefined,
    });
  });

  it('changes every occurrence of a name that occurs twice', () => {
    const text = '{"url":"http://old/1","url":"http://old/2"}';
    expect(editCard(text, 'root', ({ url }) => url.replace('old', 'tap')).text).toBe(
      '{"url":"http://tap/1","url":"http://tap/2"}',
    );
  });
});
