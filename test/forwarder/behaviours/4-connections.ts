import { type BehaviourGroup, get, ok } from '../behaviour.ts';
import { eventually, must, quoted } from '../wire.ts';

export default {
  title: 'Connections (HTTP/1.1)',
  behaviours: [
    {
      name: 'a client’s connection is kept, and so is the callee’s',
      async run(world) {
        world.callee.answer(ok);
        const client = await world.send(get);
        await client.message('response');
        for (let number = 2; number <= 4; number++) {
          client.write(get.replace('HOST', world.authority));
          await client.message('response', number);
        }
        const { length } = world.callee.connections;
        must(length === 1, `four requests took ${length} connections to the callee`);
      },
    },
    {
      name: 'pipelined requests are answered in their order',
      async run(world) {
        world.callee.answer(({ line }) => `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${line[5]}.`);
        const one = (path: string): string => get.replace('/x', path);
        const client = await world.send(one('/a') + one('/b') + one('/c'));
        const bodies: string[] = [];
        for (const number of [1, 2, 3]) bodies.push((await client.message('response', number)).body);
        must(bodies.join('') === 'a.b.c.', `the bodies were ${quoted(bodies.join(''))}`);
      },
    },
    {
      name: 'Connection: close of the client closes after the answer',
      async run(world) {
        world.callee.answer(ok);
        const client = await world.send('GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n');
        await client.message('response');
        await client.untilEnded();
      },
    },
    {
      name: 'Connection: close of the callee does not lose the answer',
      async run(world) {
        const { client, callee } = await world.underWay();
        callee.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi');
        callee.socket.end();
        const response = await client.message('response');
        must(response.body === 'hi', `became ${quoted(response.body)}`);
      },
    },
    {
      name: 'a connection that the callee closed while idle costs no later client its answer',
      async run(world) {
        world.callee.answer(ok);
        const first = await world.send(get);
        await first.message('response');
        (await world.callee.connection()).socket.end();
        await new Promise((resolve) => setTimeout(resolve, 50));
        const second = await world.send(get);
        const response = await second.message('response');
        must(response.body === 'hi', `the answer was ${quoted(response.line)}`);
      },
    },
    {
      name: 'a callee that nobody can reach is told to the client as 5xx',
      run: (world) =>
        world.callee.away(async () => {
          const client = await world.send(get);
          await client.until(/^HTTP\/1\.[01] 5\d\d /);
        }),
    },
    {
      name: 'bytes that are no HTTP are refused as such',
      async run(world) {
        const client = await world.send('\x00\x01\x02 nonsense\r\n\r\n');
        await eventually(
          () => client.ended || client.closed || client.text.startsWith('HTTP/1.1 400') || undefined,
          () => `the client was left waiting after ${quoted(client.text)}`,
        );
        must(
          world.callee.connections.every(({ text }) => text === ''),
          'they reached the callee',
        );
      },
    },
    {
      name: 'CONNECT opens no tunnel to elsewhere',
      async run(world) {
        const client = await world.send(
          `CONNECT 127.0.0.1:${world.callee.port} HTTP/1.1\r\nHost: 127.0.0.1:${world.callee.port}\r\n\r\n`,
        );
        await eventually(
          () => client.text !== '' || client.ended || client.closed || undefined,
          () => 'the client was left waiting',
        );
        must(!/^HTTP\/1\.1 2/.test(client.text), 'a tunnel was opened');
      },
    },
  ],
} satisfies BehaviourGroup;
