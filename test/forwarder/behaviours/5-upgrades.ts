import { type BehaviourGroup, get, type World } from '../behaviour.ts';
import { endToEnd, fieldOf, must, quoted, type Wire } from '../wire.ts';

const asked =
  'GET /ws HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\nSec-WebSocket-Protocol: a2a, other\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n';
const switched =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nX-b: 1\r\nx-B: 2\r\nSec-WebSocket-Protocol: a2a\r\n\r\n';

async function open(world: World): Promise<{ readonly client: Wire; readonly callee: Wire }> {
  const ends = await world.underWay(asked);
  ends.callee.write(switched);
  await ends.client.until(/^HTTP\/1\.1 101 [\s\S]*\r\n\r\n/);
  ends.client.text = '';
  ends.callee.text = '';
  return ends;
}

export default {
  title: 'Upgrades (HTTP/1.1): WebSocket and others',
  behaviours: [
    {
      name: 'the request passes with its fields, in order and case',
      async run(world) {
        const { callee } = await world.underWay(asked);
        const request = await callee.message('request');
        must(/^websocket$/i.test(fieldOf(request, 'upgrade') ?? ''), 'Upgrade did not reach the callee');
        must(/upgrade/i.test(fieldOf(request, 'connection') ?? ''), 'Connection: Upgrade did not');
        const seen = endToEnd(request).join('\n');
        const sent = asked
          .split('\r\n')
          .filter((field) => /^sec-/i.test(field))
          .join('\n');
        must(seen === sent, `became ${quoted(seen)}`);
      },
    },
    {
      name: 'the 101 passes with its fields, in order and case',
      async run(world) {
        const { client, callee } = await world.underWay(asked);
        callee.write(switched);
        const response = await client.message('response');
        must(response.line === 'HTTP/1.1 101 Switching Protocols', `became ${quoted(response.line)}`);
        const seen = endToEnd(response).join('\n');
        const sent = switched
          .split('\r\n')
          .filter((field) => /^(?:sec-|x-)/i.test(field))
          .join('\n');
        must(seen === sent, `became ${quoted(seen)}`);
        must(/^websocket$/i.test(fieldOf(response, 'upgrade') ?? ''), 'Upgrade was lost');
      },
    },
    {
      name: 'bytes pass both ways, at once and as they are',
      async run(world) {
        const { client, callee } = await open(world);
        for (const frame of ['\x81\x85\x01\x02\x03\x04iglki', '\x89\x80\x00\x00\x00\x00']) {
          client.write(frame);
          await callee.until(frame);
        }
        for (const frame of ['\x81\x02hi', '\x8a\x00', '\xff\x00\x01']) {
          callee.write(frame);
          await client.until(frame);
        }
        must(client.text === '\x81\x02hi\x8a\x00\xff\x00\x01', `the client saw ${quoted(client.text)}`);
      },
    },
    {
      name: 'bytes that came with the 101 are not lost',
      async run(world) {
        const { client, callee } = await world.underWay(asked);
        callee.write(`${switched}\x81\x05hello`);
        await client.until('\r\n\r\n\x81\x05hello');
      },
    },
    {
      name: 'bytes that came with the request are not lost',
      async run(world) {
        const { client, callee } = await world.underWay(`${asked}\x81\x80\x00\x00\x00\x00`);
        callee.write(switched);
        await client.until(' 101 ');
        await callee.until('\r\n\r\n\x81\x80\x00\x00\x00\x00');
      },
    },
    {
      name: 'other protocols are carried the same',
      async run(world) {
        const { client, callee } = await world.underWay(
          'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: upgrade\r\nUpgrade: Echo/7\r\n\r\n',
        );
        must(/\r\nupgrade: echo\/7\r\n/i.test(callee.text), 'Upgrade did not reach the callee');
        callee.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: Echo/7\r\n\r\n');
        await client.until(' 101 ');
        client.write('ping');
        await callee.until(/\r\n\r\nping$/);
        callee.write('pong');
        await client.until(/\r\n\r\npong$/);
      },
    },
    {
      name: 'a refused upgrade is an ordinary response',
      async run(world) {
        const { client, callee } = await world.underWay(asked);
        callee.write(
          'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 4\r\n\r\nnope',
        );
        const response = await client.message('response');
        must(response.line === 'HTTP/1.1 401 Unauthorized', `became ${quoted(response.line)}`);
        must(response.body === 'nope', `the body became ${quoted(response.body)}`);
      },
    },
    {
      name: 'after a refused upgrade the connection goes on',
      async run(world) {
        world.callee.answer('HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\nnope');
        const client = await world.send(asked);
        await client.message('response');
        client.write(get.replace('HOST', world.authority));
        await client.message('response', 2);
      },
    },
    {
      name: 'an answer of 200 to an upgrade streams like any',
      async run(world) {
        const { client, callee } = await world.underWay(asked);
        callee.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n');
        await client.until('one');
        callee.write('3\r\ntwo\r\n0\r\n\r\n');
        const response = await client.message('response');
        must(response.body === 'onetwo', `became ${quoted(response.body)}`);
      },
    },
    {
      name: 'a client that closes is gone for the callee',
      async run(world) {
        const { client, callee } = await open(world);
        client.socket.destroy();
        await callee.untilEnded();
      },
    },
    {
      name: 'a callee that closes is gone for the client, after its last bytes',
      async run(world) {
        const { client, callee } = await open(world);
        callee.write('\x88\x02\x03\xe8');
        callee.socket.end();
        await client.untilEnded();
        must(client.text === '\x88\x02\x03\xe8', `the client saw ${quoted(client.text)}`);
      },
    },
    {
      name: 'a half-closed client still hears the callee',
      async run(world) {
        const { client, callee } = await open(world);
        client.write('\x88\x80\x00\x00\x00\x00');
        client.socket.end();
        await callee.untilEnded();
        must(callee.text === '\x88\x80\x00\x00\x00\x00', `the callee saw ${quoted(callee.text)}`);
        callee.write('\x88\x00');
        await client.until('\x88\x00');
      },
    },
    {
      name: 'a reset passes, either way',
      async run(world) {
        const first = await open(world);
        first.client.socket.resetAndDestroy();
        await first.callee.untilEnded();
        must(first.callee.reset, 'the callee saw an orderly end');
        world.callee.renew();
        const second = await open(world);
        second.callee.socket.resetAndDestroy();
        await second.client.untilEnded();
        must(second.client.reset, 'the client saw an orderly end');
      },
    },
    {
      name: 'a client that leaves before the 101 is gone for the callee',
      async run(world) {
        const { client, callee } = await world.underWay(asked);
        client.socket.destroy();
        await callee.untilEnded();
      },
    },
    {
      name: 'a client that does not read stops the callee',
      async run(world) {
        const { client, callee } = await open(world);
        client.socket.pause();
        const block = Buffer.alloc(256 * 1024, 'x');
        let sent = 0;
        let blocked = 0;
        while (blocked < 20 && sent < 200 * 1024 * 1024) {
          callee.socket.write(block);
          sent += block.length;
          blocked = 0;
          while (callee.socket.writableLength > 0 && blocked < 20) {
            blocked += 1;
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
        }
        must(blocked >= 20, `the forwarder took ${sent / 1024 / 1024} MiB that nobody read`);
      },
    },
    {
      name: 'an upgrade to h2c is not carried: nobody could see what is said on it',
      async run(world) {
        const { client, callee } = await world.underWay(
          'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
        );
        must(!/\r\nupgrade: h2c/i.test(callee.text), 'Upgrade: h2c reached the callee');
        callee.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
        await client.until(/hi$/);
      },
    },
  ],
} satisfies BehaviourGroup;
