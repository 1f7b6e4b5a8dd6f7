import { describe, expect, it } from 'vitest';
import { atOrigin, canonicalOrigin, placeOfUrl, type UrlMapOptions } from './url-map.ts';

const options: UrlMapOptions = {
  upstream: 'http://127.0.0.1:9000',
  calleeOrigins: () => ['http://127.0.0.1:9000', 'https://bob.example'],
  otherOwner: (origin) => (origin === canonicalOrigin('http://127.0.0.1:9500') ? 'carol' : undefined),
  isListening: (port, host) => port === 9999 && (host === undefined || host === '172.20.0.3'),
  trustLoopback: true,
};

describe('placeOfUrl', () => {
  it.each([
    ['http://127.0.0.1:9000/a2a', 'here'],
    ['http://localhost:9000', 'here'],
    ['HTTP://LOCALHOST:9000/', 'here'],
    ['http://[::1]:9000/', 'here'],
    ['http://0.0.0.0:9000/', 'here'],
    ['http://user@127.0.0.1:9000/', 'here'],
    ['http://localhost:9001/rest', 'sibling'],
    ['https://bob.example/a2a', 'sibling'],
    ['https://bob.example:443/a2a', 'sibling'],
    ['http://127.0.0.1:9999/', 'ours'],
    ['http://localhost:9500/', 'outside'],
    ['http://bob.example/a2a', 'outside'],
    ['https://127.0.0.1.evil.example:9000/', 'outside'],
    ['https://mallory.example/', 'outside'],
    ['wss://127.0.0.1:9000/', 'outside'],
    ['localhost:9000', 'outside'],
    ['http://', 'outside'],
    ['/relative', 'none'],
    ['127.0.0.1:9000', 'none'],
    ['', 'none'],
  ])('%s is %s', (url, kind) => {
    expect(placeOfUrl(url, 'JSONRPC', options).kind).toBe(kind);
  });

  it('finds gRPC by host and port alone', () => {
    expect(placeOfUrl('127.0.0.1:9000', 'GRPC', options).kind).toBe('here');
    expect(placeOfUrl('localhost:9000', 'grpc', options).kind).toBe('here');
    expect(placeOfUrl('elsewhere.example:9000', 'GRPC', options).kind).toBe('outside');
    expect(placeOfUrl('127.0.0.1:9000', 'JSONRPC', options).kind).not.toBe('here');
  });

  it('knows taps by the name under which they are given out', () => {
    const advertised = { ...options, advertise: 'plugfest' };
    expect(placeOfUrl('http://plugfest:9999/', '', advertised).kind).toBe('ours');
    expect(placeOfUrl('http://plugfest:9998/', '', advertised).kind).toBe('outside');
    expect(placeOfUrl('http://plugfest:9999/', '', options).kind).toBe('outside');
    // By the address that they listen on, without any name.
    expect(placeOfUrl('http://172.20.0.3:9999/', '', options).kind).toBe('ours');
    expect(placeOfUrl('http://172.20.0.4:9999/', '', options).kind).toBe('outside');
  });

  it('takes other ports of this machine only where it may, and only for a callee on this machine', () => {
    const url = 'http://127.0.0.1:9001/';
    expect(placeOfUrl(url, '', { ...options, trustLoopback: false }).kind).toBe('outside');
    expect(placeOfUrl(url, '', { ...options, upstream: 'https://bob.example' }).kind).toBe('outside');
  });
});

describe('atOrigin', () => {
  it.each([
    ['http://127.0.0.1:9000', 'http://tap:1'],
    ['http://127.0.0.1:9000/', 'http://tap:1/'],
    [
      'http://127.0.0.1:9000//a/../b?x=http://127.0.0.1:9000#f',
      'http://tap:1//a/../b?x=http://127.0.0.1:9000#f',
    ],
    ['http://me:pw@127.0.0.1:9000/a', 'http://me:pw@tap:1/a'],
    ['http://127.0.0.1:9000?q', 'http://tap:1?q'],
  ])('%s becomes %s', (url, expected) => {
    expect(atOrigin(url, 'http://tap:1')).toBe(expected);
  });
});
