import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClientHello } from './client-hello.ts';

/** What Node.js sends first. */
async function helloOf(options: tls.ConnectionOptions): Promise<Buffer> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = tls.connect({ ...options, port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [net.Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

describe('a ClientHello', () => {
  it('tells the name and the protocols', async () => {
    const bytes = await helloOf({ servername: 'hotel.example', ALPNProtocols: ['h2', 'http/1.1'] });
    expect(readClientHello(bytes)).toEqual({ serverName: 'hotel.example', protocols: ['h2', 'http/1.1'] });
    // All of it is needed, and nothing behind it.
    expect(readClientHello(bytes.subarray(0, -1))).toBeUndefined();
    expect(readClientHello(Buffer.concat([bytes, Buffer.from('more')]))).toMatchObject({
      serverName: 'hotel.example',
    });
  });

  it('may tell neither', async () => {
    expect(readClientHello(await helloOf({}))).toEqual({ serverName: undefined, protocols: [] });
  });

  it('may be spread over records', async () => {
    const bytes = await helloOf({ servername: 'a', ALPNProtocols: ['h2'] });
    const message = bytes.subarray(5);
    const records: Buffer[] = [];
    for (let at = 0; at < message.length; at += 50) {
      const part = message.subarray(at, at + 50);
      records.push(Buffer.from([0x16, 3, 1, 0, part.length]), part);
    }
    expect(readClientHello(Buffer.concat(records))).toEqual({ serverName: 'a', protocols: ['h2'] });
  });

  it('is bounded', () => {
    const record = Buffer.concat([Buffer.from([0x16, 3, 1, 0x40, 0]), Buffer.alloc(16_384)]);
    record.set([1, 0xff, 0xff, 0xff], 5);
    expect(readClientHello(record)).toBe('no-hello');
    expect(readClientHello(Buffer.from([0x16, 3, 1, 0xff, 0xff]))).toBe('no-hello');
    expect(readClientHello(Buffer.from([0x16, 3, 1, 0, 0]))).toBe('no-hello');
  });

  it('is read from any bytes without an exception', async () => {
    const bytes = await helloOf({ servername: 'hotel.example', ALPNProtocols: ['h2'] });
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (at, value, length) => {
        const spoilt = Buffer.from(bytes);
        spoilt[at] = value;
        readClientHello(spoilt);
        readClientHello(spoilt.subarray(0, length));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (random) => {
        readClientHello(Buffer.from(random));
        readClientHello(Buffer.concat([Buffer.from([0x16, 3, 1, 0, random.length & 255]), random]));
      }),
    );
  });
});
