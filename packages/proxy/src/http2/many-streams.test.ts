import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { H2Client, H2Server, type SeenStream } from '../testing/h2.ts';
import { eventually } from '../testing/memory-sink.ts';
import { tapped } from '../testing/tapped.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openLabAuthority } from '../tls/authority.ts';

const folder = temporaryFolder();
const authority = openLabAuthority(join(folder, 'lab'));

/** Numbers that look random and are the same in each run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What the callee does, by the path. */
function serve({ stream, headers }: SeenStream): void {
  const path = headers[headers.indexOf(':path') + 1] ?? '';
  const [, what = '', size = ''] = path.split('/');
  if (what === 'reset') {
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.write('x'.repeat(Number(size)));
    setTimeout(() => stream.close(Number(size) % 14), 5);
    return;
  }
  if (what === 'silent') return;
  stream.respond({ ':status': 200 }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.on('end', () => {
    stream.write('y'.repeat(Number(size)));
    setTimeout(() => stream.end('z'), 3);
  });
}

describe.each(['plain', 'TLS'])('many streams over %s', (transport) => {
  it('end each on its own, and all on record', async () => {
    const random = numbers(7);
    await using server = await H2Server.start(serve);
    const secure = transport === 'TLS';
    await using lab = await tapped(server.origin, secure ? { tls: authority } : {});
    const clients = [1, 2, 3].map(
      () => new H2Client(lab.tap.origin, secure ? { ca: authority.certificate } : {}),
    );
    let [whole, failed] = [0, 0];
    const one = async (client: H2Client): Promise<void> => {
      const size = Math.floor(random() * 300_000);
      const kind = random();
      const what = kind < 0.2 ? 'reset' : kind < 0.3 ? 'silent' : 'answer';
      const call = client.call(
        'POST',
        `/${what}/${size}`,
        [],
        { waitForTrailers: true },
        secure ? 'https' : 'http',
      );
      call.stream.on('wantTrailers', () => call.stream.sendTrailers({}));
      const body = 'b'.repeat(Math.floor(random() * 100_000));
      const leaves = random() < 0.3 || what === 'silent';
      if (leaves) {
        call.stream.write(body);
        setTimeout(() => call.stream.close(8), random() * 10);
      } else call.stream.end(body);
      // All streams share what the machine has to spare.
      await call.untilClosed(25_000);
      if (!call.whole()) failed += 1;
      else {
        whole += 1;
        expect(call.body.length).toBe(size + 1);
        expect(call.trailers).toEqual(['grpc-status', '0']);
      }
    };
    const rounds = clients.flatMap((client) =>
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 8; i++) await one(client);
      }),
    );
    await Promise.all(rounds);
    const total = 3 * 8 * 8;
    expect(whole + failed).toBe(total);
    expect(whole).toBeGreaterThan(total / 4);
    await eventually(() => lab.sink.of('end').length === total || undefined, 'all ends');
    expect(lab.sink.of('request-head')).toHaveLength(total);
    const ends = Map.groupBy(lab.sink.of('end'), ({ end }) => end);
    // Who leaves when all has been said has still left; both may say so.
    expect(ends.get('complete')?.length ?? 0).toBeGreaterThanOrEqual(whole);
    expect([...ends.keys()].toSorted()).toEqual(['client-abort', 'complete', 'reset']);
    const sides = new Set(lab.sink.of('end').map(({ exchange }) => exchange));
    expect(sides.size).toBe(total);
    await eventually(
      () => server.seen.every(({ closed }) => closed) || undefined,
      'all streams of the callee to close',
    );
    expect(lab.sink.of('connection-open')).toHaveLength(6);
    for (const client of clients) client.session.close();
    await eventually(() => lab.sink.of('connection-close').length === 6 || undefined, 'all closes');
  });
});
