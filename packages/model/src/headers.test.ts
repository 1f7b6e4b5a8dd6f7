import { expect, it } from 'vitest';
import { contentType, header, headerValues, shareHeaders } from './headers.ts';

it('finds what was put into a list after it was asked about', () => {
  const headers = ['Content-Length', '3', 'Content-Type', 'text/event-stream'];
  expect([header(headers, 'content-type'), contentType(headers)]).toEqual([
    'text/event-stream',
    'text/event-stream',
  ]);
  headers.splice(0, 2);
  headers.push('X-Other', '1');
  expect(header(headers, 'content-type')).toBe('text/event-stream');
  expect(header(headers, 'x-other')).toBe('1');
  headers[1] = 'application/json';
  expect(contentType(headers)).toBe('application/json');
});

it('asks a list that is shared once', () => {
  const headers = ['A', '1', 'B', '2'];
  shareHeaders(headers);
  expect([header(headers, 'b'), headerValues(headers, 'B'), header(headers, 'c')]).toEqual([
    '2',
    ['2'],
    undefined,
  ]);
});
