import type { World } from '../behaviour.ts';
import { type BehaviourGroup, chunk, get, streamHead } from '../behaviour.ts';
import { eventually, must, quoted, type Wire } from '../wire.ts';

/** What the issue allows an abort to take. */
const promptMs = 10;
/** A busy machine only makes an abort later, so that the quickest of several tells what the forwarder does. */
const tries = 8;

type Ends = { readonly client: Wire; readonly callee: Wire };

/** One of the ends leaves; the other has to be told, and soon. */
async function tellsSoon(
  world: World,
  prepare: () => Promise<Ends>,
  leave: (ends: Ends) => Wire,
  check: (ends: Ends) => void = () => undefined,
): Promise<void> {
  let quickest = Number.POSITIVE_INFINITY;
  for (let each = 0; each < tries && quickest > promptMs; each++) {
    world.callee.renew();
    const ends = await prepare();
    const at = performance.now();
    const told = leave(ends);
    await told.untilEnded();
    check(ends);
    quickest = Math.min(quickest, (await told.gone) - at);
  }
  must(quickest <= promptMs, `it took ${Math.round(quickest)} ms at best`);
}

const streaming = async (world: World): Promise<Ends> => {
  const ends = await world.underWay();
  ends.callee.write(streamHead + chunk('data: 1\n\n'));
  await ends.client.until('data: 1');
  return ends;
};

export default {
  title: 'Streams, and ends in the middle (HTTP/1.1)',
  behaviours: [
    {
      name: 'the head of a stream passes before its first event',
      async run(world) {
        const { client, callee } = await world.underWay();
        callee.write(streamHead);
        await client.until(/text\/event-stream[\s\S]*\r\n\r\n/i);
      },
    },
    {
      name: 'every event passes at once',
      async run(world) {
        const { client, callee } = await streaming(world);
        for (const event of ['data: 2\n\n', ': ping\n\n', 'data: caf\xc3', '\xa9\n\n']) {
          callee.write(chunk(event));
          await client.until(event);
        }
      },
    },
    {
      name: 'the last chunk ends a stream, and the connection goes on',
      async run(world) {
        const { client, callee } = await streaming(world);
        callee.write('0\r\n\r\n');
        const response = await client.message('response');
        must(response.body === 'data: 1\n\n', `became ${quoted(response.body)}`);
        client.write(get.replace('HOST', world.authority));
        await eventually(
          () =>
            world.callee.connections.some(({ text }) => text.split('GET /x').length > 2) ||
            world.callee.connections.length > 1 ||
            undefined,
          () => 'a second request did not reach the callee',
        );
      },
    },
    {
      name: 'a client that leaves a stream is gone for the callee, within 10 ms',
      run: (world) =>
        tellsSoon(
          world,
          () => streaming(world),
          ({ client, callee }) => {
            client.socket.destroy();
            return callee;
          },
        ),
    },
    {
      name: 'a client that resets a stream resets the callee',
      run: (world) =>
        tellsSoon(
          world,
          () => streaming(world),
          ({ client, callee }) => {
            client.socket.resetAndDestroy();
            return callee;
          },
          ({ callee }) => must(callee.reset, 'the callee saw an orderly end'),
        ),
    },
    {
      name: 'a client that leaves before any answer is gone for the callee, within 10 ms',
      run: (world) =>
        tellsSoon(
          world,
          () => world.underWay(),
          ({ client, callee }) => {
            client.socket.destroy();
            return callee;
          },
        ),
    },
    {
      name: 'a client that leaves in the middle of its body is gone for the callee, within 10 ms',
      run: (world) =>
        tellsSoon(
          world,
          async () => {
            const ends = await world.underWay(
              'POST /t HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
            );
            await ends.callee.until('half');
            return ends;
          },
          ({ client, callee }) => {
            client.socket.destroy();
            return callee;
          },
          ({ callee }) => must(!callee.text.includes('\r\n0\r\n'), 'the callee saw a whole body'),
        ),
    },
    {
      name: 'a callee that closes in the middle of a stream is gone for the client, within 10 ms',
      run: (world) =>
        tellsSoon(
          world,
          () => streaming(world),
          ({ client, callee }) => {
            callee.socket.destroy();
            return client;
          },
          ({ client }) => must(!client.text.includes('\r\n0\r\n'), 'the client saw a whole stream'),
        ),
    },
    {
      name: 'a callee that resets a stream resets the client',
      run: (world) =>
        tellsSoon(
          world,
          () => streaming(world),
          ({ client, callee }) => {
            callee.socket.resetAndDestroy();
            return client;
          },
          ({ client }) => must(client.reset, 'the client saw an orderly end'),
        ),
    },
    {
      name: 'a callee that closes without an answer gets none made up, or a 5xx',
      async run(world) {
        const { client, callee } = await world.underWay();
        callee.socket.destroy();
        await eventually(
          () => client.ended || client.closed || /^HTTP\/1\.1 5/.test(client.text) || undefined,
          () => `the client was left waiting after ${quoted(client.text)}`,
        );
        must(!/^HTTP\/1\.1 [234]/.test(client.text), `the client was told ${quoted(client.text)}`);
      },
    },
    {
      name: 'a body of known length that is cut ends the connection',
      async run(world) {
        const { client, callee } = await world.underWay();
        callee.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
        await client.until('half');
        callee.socket.destroy();
        await client.untilEnded();
      },
    },
    {
      name: 'a half-closed client still gets its answer',
      async run(world) {
        const { client, callee } = await world.underWay();
        client.socket.end();
        await new Promise((resolve) => setTimeout(resolve, 20));
        callee.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
        await client.until(/hi$/);
      },
    },
    {
      name: 'the callee sees that a client has closed its half',
      async run(world) {
        const { client, callee } = await world.underWay();
        client.socket.end();
        await callee.untilEnded();
        must(!callee.reset, 'the callee was reset');
        callee.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
        await client.until(/hi$/);
      },
    },
    {
      name: 'a client that does not read stops the callee',
      async run(world) {
        const { client, callee } = await world.underWay();
        client.socket.pause();
        const block = Buffer.alloc(256 * 1024, 'x');
        callee.write(`HTTP/1.1 200 OK\r\nContent-Length: ${1024 * 1024 * 1024}\r\n\r\n`);
        let sent = 0;
        let blocked = 0;
        while (blocked < 20 && sent < 200 * 1024 * 1024) {
          const flowing = callee.socket.write(block);
          sent += block.length;
          blocked = 0;
          while (!flowing && callee.socket.writableLength > 0 && blocked < 20) {
            blocked += 1;
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
        }
        must(blocked >= 20, `the forwarder took ${sent / 1024 / 1024} MiB that nobody read`);
      },
    },
  ],
} satisfies BehaviourGroup;
