import { type BehaviourGroup, get } from '../behaviour.ts';
import { endToEnd, fieldOf, must, quoted } from '../wire.ts';

export default {
  title: 'Responses (HTTP/1.1)',
  behaviours: [
    {
      name: 'fields keep order, case and duplicates',
      async run(world) {
        const fields = [
          'X-B: 2',
          'Server: a',
          'sErVeR: b',
          'Set-Cookie: a=1',
          'x-a: 1',
          'Set-Cookie: b=2',
          'X-b: 3',
        ];
        const seen = endToEnd(
          await world.answered(`HTTP/1.1 200 OK\r\n${fields.join('\r\n')}\r\nContent-Length: 2\r\n\r\nhi`),
        );
        must(seen.join('\n') === fields.join('\n'), `became ${quoted(seen.join(' | '))}`);
      },
    },
    {
      name: 'nothing is added, not even a Date',
      async run(world) {
        const seen = endToEnd(await world.answered('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
        must(seen.length === 0, `added ${quoted(seen.join(' | '))}`);
      },
    },
    {
      name: 'empty values and obs-text keep their bytes',
      async run(world) {
        const fields = ['X-Empty:', 'X-Name: caf\xe9', 'X-Utf8: caf\xc3\xa9'];
        const seen = endToEnd(
          await world.answered(`HTTP/1.1 200 OK\r\n${fields.join('\r\n')}\r\nContent-Length: 2\r\n\r\nhi`),
        );
        const expected = ['X-Empty: ', ...fields.slice(1)];
        must(seen.join('\n') === expected.join('\n'), `became ${quoted(seen.join(' | '))}`);
      },
    },
    {
      name: 'the reason phrase stays',
      async run(world) {
        const { line } = await world.answered('HTTP/1.1 409 Task In The Way\r\nContent-Length: 0\r\n\r\n');
        must(line === 'HTTP/1.1 409 Task In The Way', `became ${quoted(line)}`);
      },
    },
    {
      name: 'trailers pass',
      async run(world) {
        const { trailers } = await world.answered(
          'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 7\r\nx-b: 1\r\n\r\n',
        );
        must(trailers.join(' | ') === 'X-Sum: 7 | x-b: 1', `became ${quoted(trailers.join(' | '))}`);
      },
    },
    {
      name: 'interim responses pass, with their fields',
      async run(world) {
        const { client, callee } = await world.underWay();
        callee.write('HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n');
        await client.until(/^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>; rel=preload\r\n\r\n/);
        callee.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
        await client.until(/200 OK[\s\S]*hi$/);
      },
    },
    {
      name: 'HEAD keeps Content-Length, and has no body',
      async run(world) {
        world.callee.answer('HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n');
        const client = await world.send('HEAD / HTTP/1.1\r\nHost: HOST\r\n\r\n');
        const response = await client.message('response', 1, true);
        must(fieldOf(response, 'content-length') === '77', 'Content-Length was lost');
        client.write(get.replace('HOST', world.authority));
        await (await world.callee.connection()).until(/HEAD [\s\S]*GET /);
      },
    },
    ...[204, 304].map(
      (status) =>
        ({
          name: `${status} ends at its head`,
          async run(world) {
            world.callee.answer(({ line }) =>
              line.startsWith('GET /x ')
                ? `HTTP/1.1 ${status} No\r\nETag: "1"\r\n\r\n`
                : 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext',
            );
            const client = await world.send(get);
            const response = await client.message('response');
            must(fieldOf(response, 'transfer-encoding') === undefined, 'Transfer-Encoding was added');
            client.write(get.replace('HOST', world.authority).replace('/x', '/next'));
            await client.until(/next$/);
          },
        }) satisfies BehaviourGroup['behaviours'][number],
    ),
    {
      name: 'a 304 keeps the Content-Length of what it stands for',
      async run(world) {
        const response = await world.answered('HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n');
        must(fieldOf(response, 'content-length') === '77', 'it was lost');
      },
    },
    {
      name: 'a content-encoded body keeps its bytes',
      async run(world) {
        const body = '\x1f\x8b\x08\x00not gzip at all\xff\x00';
        const response = await world.answered(
          `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        must(response.body === body, `became ${quoted(response.body)}`);
        must(fieldOf(response, 'content-encoding') === 'gzip', 'Content-Encoding was lost');
      },
    },
    {
      name: 'a body without a length ends with the connection',
      async run(world) {
        const { client, callee } = await world.underWay();
        callee.write('HTTP/1.1 200 OK\r\n\r\nfirst');
        await client.until('first');
        callee.write('second');
        callee.socket.end();
        const response = await client.message('response');
        must(response.body === 'firstsecond', `became ${quoted(response.body)}`);
      },
    },
    {
      name: 'responses of HTTP/1.0 callees pass',
      async run(world) {
        const { client, callee } = await world.underWay();
        callee.write('HTTP/1.0 200 OK\r\nX-Old: 1\r\n\r\nold');
        callee.socket.end();
        const response = await client.message('response');
        must(response.body === 'old', `became ${quoted(response.body)}`);
      },
    },
    {
      name: 'an answer passes that comes before the request is whole',
      async run(world) {
        const { client, callee } = await world.underWay(
          'POST /t HTTP/1.1\r\nHost: HOST\r\nContent-Length: 100000\r\n\r\nstart',
        );
        callee.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig');
        callee.socket.end();
        await client.until(/413[\s\S]*big/);
      },
    },
  ],
} satisfies BehaviourGroup;
