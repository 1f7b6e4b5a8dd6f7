import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plugfest, RunningPlugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

describe('plugfest proxy --tls', () => {
  it('speaks TLS with certificates of the CA that plugfest ca prints, and logs the keys', async () => {
    const server = http.createServer((request, response) => response.end(`for ${request.headers.host}`));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const printed = await plugfest(['ca', '--state-dir', 'state'], { cwd: folder });
    expect(printed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
    });
    expect(printed.stdout).not.toContain('PRIVATE');

    const args = [
      'proxy',
      '--edge',
      `client=hotel@http://127.0.0.1:${port}`,
      '--capture',
      'tls.sqlite',
      '--tls',
    ];
    await using proxy = new RunningPlugfest([...args, '--state-dir', 'state', '--tls-keylog', 'keys.log'], {
      cwd: folder,
    });
    const [, origin = ''] = await proxy.shows(/client -> hotel {2}(https:\/\/\S+)\n/);
    const body = await new Promise<string>((resolve, reject) => {
      https
        .get(origin, { ca: printed.stdout, agent: false }, (response) => {
          response.setEncoding('utf8').on('data', resolve);
        })
        .on('error', reject);
    });
    expect(body).toBe(`for 127.0.0.1:${port}`);
    proxy.signal('SIGINT');
    const { code, stderr } = await proxy.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('--tls-keylog: whoever has keys.log can read what is captured');
    expect(readFileSync(join(folder, 'keys.log'), 'utf8')).toMatch(/^CLIENT_TRAFFIC_SECRET_0 /m);
    expect(statSync(join(folder, 'state', 'lab-ca.pem')).mode & 0o777).toBe(0o600);
    server.close();

    const traffic = await plugfest(['export', 'tls.sqlite', '--to', 'ndjson'], { cwd: folder });
    expect(traffic).toMatchObject({ code: 0, stdout: expect.stringContaining('"status":200') });
  }, 90_000);

  it.each([
    ['a file that is not there', 'none.pem', undefined, /none\.pem cannot be read/],
    ['a file without a certificate', 'empty.pem', 'x', /holds no certificate in PEM/],
    [
      'a certificate that is none',
      'bad.pem',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      /holds no certificate in PEM/,
    ],
  ])('says that --upstream-ca is %s', async (_what, name, text, message) => {
    if (text !== undefined) writeFileSync(join(folder, name), text);
    const args = [
      'proxy',
      '--edge',
      'a=b@https://127.0.0.1:9',
      '--capture',
      'x.sqlite',
      '--upstream-ca',
      name,
    ];
    const { code, stderr } = await plugfest(args, { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
