import { describe, expect, test } from 'vitest';
import { readCard, speaksVersion } from './card.ts';

const path = '/.well-known/agent-card.json';
const card = {
  name: 'amber',
  description: 'x',
  version: '1',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  supportedInterfaces: [{ url: 'http://h/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};

function read(body: unknown, { status = 200, contentType = 'application/json', headers = {} } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readCard({ status, contentType, headers, text, cut: false }, path);
}

describe('the answer to a GET of a card', () => {
  test('is none where it is without end', () => {
    const answer = { status: 200, contentType: 'application/json', headers: {}, text: '   ', cut: true };
    expect(readCard(answer, path)).toMatchObject({
      kind: 'no-json',
      reason: `its card (${path}) is longer than Plugfest reads`,
    });
  });

  test('is a card with the dialects that it offers', () => {
    const legacy = { url: 'http://h/rpc', preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' };
    expect(read({ ...card, ...legacy })).toMatchObject({
      kind: 'card',
      dialects: [
        { binding: 'JSONRPC', version: '1.0' },
        { binding: 'JSONRPC', version: '0.3' },
      ],
    });
  });

  test('of the days of 0.1 has that dialect and no other', () => {
    const old = { name: 'x', url: 'http://h/', version: '1', skills: [], authentication: { schemes: [] } };
    expect(read(old)).toMatchObject({ kind: 'card', dialects: [{ binding: 'JSONRPC', version: '0.1' }] });
    expect(speaksVersion('both', '0.1')).toBe(false);
    expect(['1.0', '0.3'].filter((version) => speaksVersion('both', version as '1.0'))).toHaveLength(2);
  });

  test.each([
    ['<!DOCTYPE html><html>', 'text/html', 'html', 'is an HTML page, not JSON'],
    ['<html><body>', 'application/json', 'html', 'is an HTML page, not JSON'],
    ['hello \u001b[31mthere', 'application/json', 'no-json', 'is no JSON; it starts with hello there'],
    ['', 'application/json', 'no-json', 'is no JSON but empty'],
  ])('%j is told as what it is', (body, contentType, kind, reason) => {
    const answer = read(body, { contentType });
    expect(answer).toMatchObject({ kind });
    expect('reason' in answer && answer.reason).toContain(reason);
  });

  test('with wrong types points to them', () => {
    const capabilities = { streaming: 'yes' };
    expect(read({ ...card, name: 7, capabilities })).toEqual({
      kind: 'types',
      reason:
        'its card has wrong types: /name: expected string, received number; /capabilities/streaming: expected boolean, received string',
    });
    expect(read([])).toMatchObject({ kind: 'types' });
    expect(read({ hello: 'world', name: 'x' })).toMatchObject({ kind: 'types' });
  });

  test('without an interface that Plugfest speaks says what there is', () => {
    const supportedInterfaces = [{ url: 'h:1', protocolBinding: 'SMOKE', protocolVersion: '1.0' }];
    const answer = read({ ...card, supportedInterfaces });
    expect(answer.kind).toBe('no-interface');
    expect('reason' in answer && answer.reason).toContain('it offers SMOKE 1.0');
  });

  test('that the proxy itself gave is no answer of the agent', () => {
    const headers = { 'x-plugfest-error': 'upstream-unreachable' };
    expect(read('{}', { status: 502, headers })).toMatchObject({ kind: 'unreachable' });
    expect(read('{}', { status: 404 })).toMatchObject({ kind: 'http-status' });
  });
});
