import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EdgeSpec } from './edge-spec.ts';
import { InterpositionState, stateFileOf } from './interposition-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'plugfest-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const edge: EdgeSpec = {
  caller: 'bob',
  callee: 'inbox',
  kind: 'webhook',
  upstream: 'http://127.0.0.1:9/path',
};

describe('the state of a proxy', () => {
  it('is the same in the next session, for its owner alone', () => {
    const file = stateFileOf(join(folder, 'a.sqlite'));
    const first = InterpositionState.open(file);
    expect(first.webhookKey).toHaveLength(32);
    expect(first.portOf(edge)).toBeUndefined();
    first.remember(edge, 'http://127.0.0.1:4711');
    expect(first.signingKey(() => 'made')).toBe('made');
    first.save();
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = InterpositionState.open(file);
    expect(second.webhookKey).toEqual(first.webhookKey);
    expect(second.portOf({ ...edge, upstream: 'http://127.0.0.1:9' })).toBe(4711);
    expect(second.portOf({ ...edge, caller: 'carol' })).toBeUndefined();
    expect(second.portOf({ ...edge, upstream: 'http://127.0.0.1:10' })).toBeUndefined();
    expect(
      second.signingKey(() => {
        throw new Error('there is one');
      }),
    ).toBe('made');
  });

  it('is written nowhere before there is something to keep', () => {
    const file = join(folder, 'b.json');
    InterpositionState.open(file);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it.each([
    ['is no JSON', '{'],
    ['is something else', '{}'],
    [
      'has a short key',
      JSON.stringify({ schema: 'plugfest.interposition/1', webhookKey: 'AAAA', ports: {} }),
    ],
    [
      'has a port that is none',
      JSON.stringify({
        schema: 'plugfest.interposition/1',
        webhookKey: Buffer.alloc(32).toString('base64'),
        ports: { a: 70_000 },
      }),
    ],
  ])('is refused, and left as it is, where the file %s', (_name, text) => {
    const file = join(folder, 'c.json');
    writeFileSync(file, text, { mode: 0o600 });
    expect(() => InterpositionState.open(file)).toThrow(
      expect.objectContaining({ code: 'PLUGFEST_KEYS', message: expect.stringContaining(file) }),
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.skipIf(process.platform === 'win32')('is refused where others may read it', () => {
    const file = join(folder, 'd.json');
    InterpositionState.open(file).save();
    chmodSync(file, 0o644);
    expect(() => InterpositionState.open(file)).toThrow(expect.objectContaining({ code: 'PLUGFEST_KEYS' }));
  });
});
