import { type BehaviourGroup, ok } from '../behaviour.ts';
import { endToEnd, fieldOf, must, quoted } from '../wire.ts';

const fieldsOf = (text: string): string[] =>
  text
    .slice(0, text.indexOf('\r\n\r\n'))
    .split('\r\n')
    .slice(1)
    .filter((field) => !/^(?:host|connection|content-length|transfer-encoding):/i.test(field))
    .map((field) => field.replace(/:$/, ': '));

const sameFields = (name: string, sent: string) =>
  ({
    name,
    async run(world) {
      const seen = endToEnd(await world.seen(sent));
      const expected = fieldsOf(sent);
      must(seen.join('\n') === expected.join('\n'), `became ${quoted(seen.join(' | '))}`);
    },
  }) satisfies BehaviourGroup['behaviours'][number];

const sameTarget = (name: string, target: string, expected = target, method = 'GET') =>
  ({
    name,
    async run(world) {
      const { line } = await world.seen(`${method} ${target} HTTP/1.1\r\nHost: HOST\r\n\r\n`);
      must(line === `${method} ${expected} HTTP/1.1`, `became ${quoted(line)}`);
    },
  }) satisfies BehaviourGroup['behaviours'][number];

const chunkedBody = (method: string) =>
  ({
    name: `a chunked body of ${method} arrives, framed`,
    async run(world) {
      const request = await world.seen(
        `${method} /t HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
      );
      must(request.body === 'abcde', `body became ${quoted(request.body)}, framed by ${request.framing}`);
      // What follows a message is the next one: smuggled, if nobody sent it.
      must(request.rest === '', `bytes outside any message: ${quoted(request.rest)}`);
    },
  }) satisfies BehaviourGroup['behaviours'][number];

export default {
  title: 'Requests (HTTP/1.1)',
  behaviours: [
    sameFields(
      'fields keep order, case and duplicates',
      'GET / HTTP/1.1\r\nX-B: 2\r\nhOsT: HOST\r\nx-a: 1\r\nX-B: 3\r\nAccept: */*\r\nx-b: 4\r\nACCEPT: text/plain\r\n\r\n',
    ),
    sameFields(
      'empty field values stay',
      'GET / HTTP/1.1\r\nHost: HOST\r\nX-Empty:\r\nX-After: 1\r\n\r\n'.replace('Empty: ', 'Empty:'),
    ),
    sameFields(
      'obs-text in values keeps its bytes',
      'GET / HTTP/1.1\r\nHost: HOST\r\nX-Name: caf\xe9\r\nX-Utf8: caf\xc3\xa9\r\n\r\n',
    ),
    {
      name: '300 fields pass',
      async run(world) {
        const many = Array.from({ length: 300 }, (_, i) => `X-Field-${i}: ${i}`);
        const seen = endToEnd(
          await world.seen(`GET / HTTP/1.1\r\nHost: HOST\r\n${many.join('\r\n')}\r\n\r\n`),
        );
        must(seen.length === 300, `${seen.length} came`);
      },
    },
    sameTarget('`//` and dots in paths stay', '//a2a//v1/../%7E%2f/./x'),
    sameTarget('queries stay byte for byte', '/q?a=%00&&b=[]|{}&c=%zz'),
    sameTarget('an absolute-form target becomes origin form', 'http://elsewhere.example/a?b', '/a?b'),
    sameTarget('a target of 30,000 bytes passes', `/${'p'.repeat(30_000)}`),
    sameTarget('OPTIONS * passes', '*', '*', 'OPTIONS'),
    sameTarget('other methods pass', '/dav', '/dav', 'PROPFIND'),
    ...['POST', 'DELETE', 'GET', 'OPTIONS'].map(chunkedBody),
    {
      name: 'a GET with a body of known length arrives',
      async run(world) {
        const request = await world.seen('GET /q HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\n\r\nabc');
        must(
          request.body === 'abc' && request.rest === '',
          `body became ${quoted(request.body + request.rest)}`,
        );
      },
    },
    {
      name: 'trailers pass',
      async run(world) {
        const request = await world.seen(
          'POST /t HTTP/1.1\r\nHost: HOST\r\nTrailer: X-Sum, x-b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 9\r\nx-b: 1\r\nx-b: 2\r\n\r\n',
        );
        const trailers = request.trailers.join(' | ');
        must(trailers === 'X-Sum: 9 | x-b: 1 | x-b: 2', `became ${quoted(trailers)}`);
      },
    },
    {
      name: 'a body is sent on while it arrives',
      async run(world) {
        const { client, callee } = await world.underWay(
          'POST /t HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none,\r\n',
        );
        await callee.until('one,');
        client.write('4\r\ntwo.\r\n0\r\n\r\n');
        await callee.until('two.');
        callee.write(ok);
        await client.message('response');
      },
    },
    {
      name: 'Expect: 100-continue is the callee’s to answer',
      async run(world) {
        const { client, callee } = await world.underWay(
          'POST /t HTTP/1.1\r\nHost: HOST\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n',
        );
        must(/\r\nexpect: *100-continue\r\n/i.test(callee.text), 'the expectation did not pass');
        must(
          client.text === '',
          `the client was told ${quoted(client.text)} before the callee said anything`,
        );
        callee.write('HTTP/1.1 100 Continue\r\n\r\n');
        await client.until('HTTP/1.1 100 ');
        client.write('body');
        await callee.until('body');
        callee.write(ok);
        await client.until(/200 OK[\s\S]*hi$/);
      },
    },
    {
      name: 'a final answer to Expect: 100-continue passes without a 100',
      async run(world) {
        const { client, callee } = await world.underWay(
          'POST /t HTTP/1.1\r\nHost: HOST\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n',
        );
        callee.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n');
        await client.until('417');
        must(!client.text.includes(' 100 '), 'the client was told 100 nevertheless');
      },
    },
    {
      name: 'fields that Connection names stay on their hop',
      async run(world) {
        const request = await world.seen(
          'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\nX-End: 1\r\n\r\n',
        );
        must(fieldOf(request, 'x-hop') === undefined, 'X-Hop reached the callee');
        must(fieldOf(request, 'x-end') === '1', 'X-End did not');
      },
    },
    {
      name: 'a request with both Content-Length and Transfer-Encoding is not passed on as two',
      async run(world) {
        world.callee.answer(ok);
        const client = await world.send(
          'POST /t HTTP/1.1\r\nHost: HOST\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n',
        );
        await client.until('HTTP/1.1 ');
        const [callee] = world.callee.connections;
        must(
          !/content-length/i.test(callee?.text ?? '') || !/transfer-encoding/i.test(callee?.text ?? ''),
          'both reached the callee',
        );
      },
    },
    {
      name: 'HTTP/1.0 clients are answered without chunks',
      async run(world) {
        world.callee.answer('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n');
        const client = await world.send('GET / HTTP/1.0\r\nHost: HOST\r\n\r\n');
        await client.untilEnded();
        const response = await client.message('response');
        must(response.framing !== 'chunked', 'the answer was chunked');
        must(response.body === 'hi', `the body became ${quoted(response.body)}`);
      },
    },
  ],
} satisfies BehaviourGroup;
