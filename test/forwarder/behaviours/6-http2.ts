import http2, {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type BehaviourGroup, get, ok, type World } from '../behaviour.ts';
import { eventually, must, quoted, Wrong } from '../wire.ts';

interface Heard {
  readonly stream: ServerHttp2Stream | ClientHttp2Stream;
  headers: IncomingHttpHeaders | undefined;
  trailers: IncomingHttpHeaders | undefined;
  body: string;
  /** The head was all that came. */
  headOnly: boolean;
  ended: boolean;
  closed: boolean;
}

function listen(stream: ServerHttp2Stream | ClientHttp2Stream, headers?: IncomingHttpHeaders): Heard {
  const heard: Heard = {
    stream,
    headers,
    trailers: undefined,
    body: '',
    headOnly: false,
    ended: false,
    closed: false,
  };
  stream.on('response', (received: IncomingHttpHeaders, flags: number) => {
    heard.headers = received;
    heard.headOnly = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
  });
  stream.on('trailers', (received: IncomingHttpHeaders) => {
    heard.trailers = received;
  });
  stream.on('data', (chunk: Buffer) => {
    heard.body += chunk.toString('latin1');
  });
  stream.on('end', () => {
    heard.ended = true;
  });
  stream.on('close', () => {
    heard.closed = true;
  });
  stream.on('error', () => undefined);
  return heard;
}

interface Session {
  readonly client: ClientHttp2Session;
  /** Requests that reached the callee. */
  readonly seen: Heard[];
  call(path?: string, more?: Record<string, string>): Heard;
  arrived(index?: number): Promise<Heard>;
}

/** HTTP/2 with prior knowledge on both sides, as gRPC has it without TLS. */
async function speaking(world: World, run: (session: Session) => Promise<void>): Promise<void> {
  const server = http2.createServer();
  const seen: Heard[] = [];
  server.on('stream', (stream, headers) => seen.push(listen(stream, headers)));
  server.on('sessionError', () => undefined);
  world.callee.give((socket) => server.emit('connection', socket));
  const client = http2.connect(`http://127.0.0.1:${world.port}`);
  let failure: string | undefined;
  client.on('error', (error) => {
    failure = error.message;
  });
  try {
    await run({
      client,
      seen,
      call: (path = '/lf.a2a.v1.A2AService/GetTask', more = {}) =>
        listen(
          client.request(
            {
              ':method': 'POST',
              ':path': path,
              'content-type': 'application/grpc',
              te: 'trailers',
              ...more,
            },
            { endStream: false },
          ),
        ),
      arrived: (index = 0) =>
        eventually(
          () => seen[index],
          () => `no stream reached the callee${failure === undefined ? '' : ` (${failure})`}`,
        ),
    });
  } finally {
    client.destroy();
  }
}

const served = (heard: Heard): ServerHttp2Stream => heard.stream as ServerHttp2Stream;

const answer = (heard: Heard, messages: readonly string[], trailers: Record<string, string>): void => {
  const stream = served(heard);
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  for (const message of messages) stream.write(message, 'latin1');
  stream.end();
};

/** A head of what is to end with trailers: Node would end the stream in order before it resets it otherwise. */
const respondLong = (heard: Heard): void =>
  served(heard).respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });

const message = (text: string): string => `\x00\x00\x00\x00${String.fromCharCode(text.length)}${text}`;

const until = (holds: () => boolean, otherwise: () => string): Promise<true> =>
  eventually(() => holds() || undefined, otherwise);

export default {
  title: 'HTTP/2 with prior knowledge, as gRPC speaks it',
  behaviours: [
    {
      name: 'a unary call passes, with metadata, message and trailers',
      run: (world) =>
        speaking(world, async ({ call, arrived }) => {
          const mine = call(undefined, { 'grpc-timeout': '5S', 'x-trace-bin': 'AAEC' });
          mine.stream.end(message('ask'), 'latin1');
          const theirs = await arrived();
          await until(
            () => theirs.ended,
            () => 'the request did not end',
          );
          must(theirs.body === message('ask'), `the request became ${quoted(theirs.body)}`);
          must(theirs.headers?.te === 'trailers', 'TE was lost');
          must(theirs.headers?.['grpc-timeout'] === '5S', 'the deadline was lost');
          must(theirs.headers?.['x-trace-bin'] === 'AAEC', 'binary metadata was lost');
          answer(theirs, [message('told')], { 'grpc-status': '0', 'x-cost-bin': 'AA' });
          await until(
            () => mine.closed,
            () => 'the answer did not end',
          );
          must(mine.body === message('told'), `the answer became ${quoted(mine.body)}`);
          must(mine.trailers?.['grpc-status'] === '0', 'the trailers were lost');
          must(mine.trailers?.['x-cost-bin'] === 'AA', 'metadata in trailers was lost');
        }),
    },
    {
      name: 'every message of a stream passes at once',
      run: (world) =>
        speaking(world, async ({ call, arrived }) => {
          const mine = call('/lf.a2a.v1.A2AService/SendStreamingMessage');
          mine.stream.end(message('ask'), 'latin1');
          const theirs = await arrived();
          served(theirs).respond({ ':status': 200, 'content-type': 'application/grpc' });
          await until(
            () => mine.headers !== undefined,
            () => 'the head waited for a message',
          );
          for (const text of ['one', 'two', 'three']) {
            theirs.stream.write(message(text), 'latin1');
            await until(
              () => mine.body.endsWith(message(text)),
              () => `“${text}” waited for what follows it`,
            );
          }
        }),
    },
    {
      name: 'messages pass both ways while both sides speak',
      run: (world) =>
        speaking(world, async ({ call, arrived }) => {
          const mine = call('/a.B/Talk');
          mine.stream.write(message('one'), 'latin1');
          const theirs = await arrived();
          await until(
            () => theirs.body === message('one'),
            () => 'the first message waited for the end',
          );
          served(theirs).respond({ ':status': 200, 'content-type': 'application/grpc' });
          theirs.stream.write(message('two'), 'latin1');
          await until(
            () => mine.body === message('two'),
            () => 'the answer waited for the end of the request',
          );
          mine.stream.end(message('three'), 'latin1');
          await until(
            () => theirs.ended,
            () => 'the request did not end',
          );
        }),
    },
    {
      name: 'an answer of trailers only stays one head',
      run: (world) =>
        speaking(world, async ({ call, arrived }) => {
          const mine = call();
          mine.stream.end(message('ask'), 'latin1');
          const theirs = await arrived();
          served(theirs).respond(
            { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '5', 'grpc-message': 'no' },
            { endStream: true },
          );
          await until(
            () => mine.closed,
            () => 'the answer did not end',
          );
          must(mine.headers?.['grpc-status'] === '5', 'the status was lost');
          must(mine.headOnly, 'it became a head and an end');
        }),
    },
    {
      name: 'trailers of a request pass',
      run: (world) =>
        speaking(world, async ({ client, arrived }) => {
          const stream = client.request({ ':method': 'POST', ':path': '/t' }, { waitForTrailers: true });
          listen(stream);
          stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '9' }));
          stream.end('abc');
          const theirs = await arrived();
          await until(
            () => theirs.ended,
            () => 'the request did not end',
          );
          must(theirs.trailers?.['x-sum'] === '9', 'they were lost');
        }),
    },
    {
      name: 'a cancelled call is cancelled at the callee, and its connection goes on',
      run: (world) =>
        speaking(world, async ({ call, arrived, seen }) => {
          const mine = call();
          mine.stream.write(message('ask'), 'latin1');
          const theirs = await arrived();
          mine.stream.close(constants.NGHTTP2_CANCEL);
          await until(
            () => theirs.closed,
            () => 'the callee was not told',
          );
          const { rstCode } = theirs.stream;
          must(rstCode === constants.NGHTTP2_CANCEL, `the callee was told ${rstCode}`);
          call().stream.end();
          await until(
            () => seen.length === 2,
            () => 'the next call did not pass',
          );
        }),
    },
    {
      name: 'the error code of a stream that the callee resets passes',
      run: (world) =>
        speaking(world, async ({ call, arrived }) => {
          const mine = call();
          mine.stream.end(message('ask'), 'latin1');
          const theirs = await arrived();
          respondLong(theirs);
          theirs.stream.write(message('half'), 'latin1');
          await until(
            () => mine.body !== '',
            () => 'the first message did not pass',
          );
          theirs.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
          await until(
            () => mine.closed,
            () => 'the client was left waiting',
          );
          const { rstCode } = mine.stream;
          must(rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM, `the client was told ${rstCode}`);
        }),
    },
    {
      name: 'a connection that the callee loses in mid-stream is no clean end',
      run: (world) =>
        speaking(world, async ({ call, arrived }) => {
          const mine = call();
          mine.stream.end(message('ask'), 'latin1');
          const theirs = await arrived();
          respondLong(theirs);
          theirs.stream.write(message('half'), 'latin1');
          await until(
            () => mine.body !== '',
            () => 'the first message did not pass',
          );
          const { session } = theirs.stream;
          if (session === undefined) throw new Wrong('the session was gone');
          session.socket.destroy();
          await until(
            () => mine.closed,
            () => 'the client was left waiting',
          );
          must(mine.trailers === undefined, 'trailers were made up');
          must(mine.stream.rstCode !== 0 || mine.stream.aborted, 'the client saw a clean end');
        }),
    },
    {
      name: 'a stream that stands still holds up no other',
      run: (world) =>
        speaking(world, async ({ call, arrived }) => {
          call('/a.B/Slow').stream.end();
          await arrived(0);
          const second = call('/a.B/Quick');
          second.stream.end();
          answer(await arrived(1), [message('done')], { 'grpc-status': '0' });
          await until(
            () => second.closed,
            () => 'the second stream waited for the first',
          );
        }),
    },
    {
      name: 'a client that does not read stops the callee',
      run: (world) =>
        speaking(world, async ({ call, arrived }) => {
          const mine = call();
          mine.stream.end();
          const theirs = await arrived();
          mine.stream.pause();
          served(theirs).respond({ ':status': 200 });
          let sent = 0;
          const block = Buffer.alloc(256 * 1024, 'x');
          for (let blocked = 0; blocked < 20 && sent < 100 * 1024 * 1024; ) {
            if (theirs.stream.write(block)) blocked = 0;
            sent += block.length;
            while (theirs.stream.writableLength > 0 && blocked < 20) {
              blocked += 1;
              await new Promise((resolve) => setTimeout(resolve, 10));
            }
            if (blocked >= 20) return;
          }
          throw new Wrong(`the forwarder took ${sent / 1024 / 1024} MiB that nobody read`);
        }),
    },
    {
      name: 'HTTP/1.1 is spoken on the same port',
      async run(world) {
        await speaking(world, async ({ client, call, arrived }) => {
          call().stream.end();
          await arrived();
          client.close();
        });
        world.callee.renew();
        world.callee.answer(ok);
        const client = await world.send(get);
        await client.message('response');
      },
    },
  ],
} satisfies BehaviourGroup;
