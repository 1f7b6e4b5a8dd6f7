import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultSet } from '../faults/fault-set.ts';
import { loadFaultKinds } from '../faults/registry.ts';
import { type ControlServer, startControl } from './control-server.ts';

const faults = new FaultSet(await loadFaultKinds());
const switches: string[] = [];
let control: ControlServer;

beforeAll(async () => {
  control = await startControl({
    port: 0,
    token: 'secret',
    faults,
    openTaps: () => [{ caller: 'amber', callee: 'birch', kind: 'a2a', origin: 'http://127.0.0.1:1' }],
    onSwitch: (text) => switches.push(text),
  });
});
afterAll(() => control.close());

async function ask(method: string, path: string, body?: string, token = 'secret') {
  const response = await fetch(control.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text), text };
}

describe('the control API', () => {
  it('puts, lists, replaces and deletes faults', async () => {
    const put = (delayMs: number) =>
      ask('PUT', '/v1/faults/slow', JSON.stringify({ fault: 'latency', delayMs }));
    expect((await put(5)).status).toBe(201);
    expect((await put(6)).status).toBe(200);
    expect((await ask('GET', '/v1/faults')).json.faults).toEqual([
      {
        id: 'slow',
        spec: { fault: 'latency', delayMs: 6, id: 'slow' },
        exchanges: 0,
        applied: 0,
        bypassed: 0,
      },
    ]);
    expect((await ask('GET', '/v1/state')).json).toEqual({ edges: 1, faults: 1, applied: 0, bypassed: 0 });
    expect((await ask('DELETE', '/v1/faults/slow')).status).toBe(204);
    expect((await ask('DELETE', '/v1/faults/slow')).status).toBe(404);
    expect(switches).toHaveLength(3);
  });

  it('lists edges and kinds', async () => {
    expect((await ask('GET', '/v1/edges')).json.edges).toHaveLength(1);
    const { kinds } = (await ask('GET', '/v1/kinds')).json;
    expect(kinds.map(({ name }: { name: string }) => name)).toContain('stale-card');
  });

  it('refuses in JSON, without a stack', async () => {
    const cases = [
      [
        await ask('PUT', '/v1/faults/x', '{"fault":"latency","delayMs":1,"what":2}'),
        422,
        'PLUGFEST_FAULT_INVALID',
      ],
      [await ask('PUT', '/v1/faults/x', '{'), 400, 'bad-request'],
      [await ask('PUT', '/v1/faults/x', JSON.stringify('x'.repeat(2_000_000))), 413, 'too-large'],
      [await ask('GET', '/v1/nothing'), 404, 'not-found'],
      [await ask('GET', '/v1/faults/%ff'), 400, 'bad-request'],
      [await ask('GET', '/v1/faults', undefined, 'wrong'), 401, 'unauthorized'],
    ] as const;
    for (const [{ status, json, text }, expected, code] of cases) {
      expect([status, json.error.code]).toEqual([expected, code]);
      expect(text).not.toContain('    at ');
    }
    expect(faults.list()).toEqual([]);
  });

  it('names an id that no fault can have', async () => {
    for (const id of ['-slow', 'a b', 'x'.repeat(65)]) {
      const { status, json } = await ask(
        'PUT',
        `/v1/faults/${encodeURIComponent(id)}`,
        '{"fault":"latency","delayMs":1}',
      );
      expect([status, json.error.code]).toEqual([422, 'PLUGFEST_FAULT_INVALID']);
      expect(json.error.message).toContain(JSON.stringify(id));
    }
    expect(faults.list()).toEqual([]);
  });

  it('is not there for a name that a page could be given', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.test', authorization: 'Bearer secret' };
      http
        .get(`${control.origin}/v1/faults`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .on('error', reject);
    });
    expect(status).toBe(421);
  });
});
