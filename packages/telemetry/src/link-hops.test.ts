import { cellId, exchangeId, spanIdOf, traceIdOf, traceparentOf, tracestateOf } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { linkHops } from './link-hops.ts';
import { cell, id, injected, run, Traffic, text } from './testing/traffic.ts';

const foreignSpan = (n: number): string => (n + 0xabc).toString(16).padStart(16, '0');

describe('a chain of agents', () => {
  it('gives the hop of the harness no link and hangs every later hop on the call that was being answered', () => {
    const traffic = new Traffic();
    const root = traffic.call('harness', 'travel', { from: 0, to: 100, cell });
    const second = traffic.call('travel', 'hotel', { from: 10, to: 90, cell });
    const third = traffic.call('hotel', 'bank', { from: 20, to: 80, cell });
    expect(traffic.linkOf(root)).toBeUndefined();
    expect(traffic.linkOf(second)).toEqual({
      exchange: second.id,
      parent: root.id,
      method: 'listener',
      confidence: 0.9,
      also: [],
    });
    expect(traffic.linkOf(third)).toMatchObject({ parent: second.id, method: 'listener' });
  });

  it('falls back to the sole open call where no cell is known', () => {
    const traffic = new Traffic();
    const root = traffic.call('harness', 'travel', { from: 0, to: 100 });
    const hop = traffic.call('travel', 'hotel', { from: 10 });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: root.id, method: 'sole-open-call', confidence: 0.5 });
  });

  it('gives an agent that drives, and that nobody called before, no link', () => {
    const traffic = new Traffic();
    const hop = traffic.call('travel', 'hotel', { from: 0, cell });
    expect(traffic.linkOf(hop)).toBeUndefined();
  });

  it('does not tie a hop to a call of another cell', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, to: 100, cell: cellId('another') });
    const hop = traffic.call('travel', 'hotel', { from: 10, cell });
    expect(traffic.linkOf(hop)).toBeUndefined();
  });

  it('does not take a poll or a card fetch that happens to be open for the cause of a send', () => {
    const traffic = new Traffic();
    const root = traffic.call('harness', 'travel', { from: 0, to: 100, cell });
    traffic.poll('harness', 'travel', { from: 5, to: 50, cell, taskIds: [id('elsewhere')] });
    traffic.call('harness', 'travel', { from: 6, to: 50, cell, kind: 'card', method: 'GET' });
    const hop = traffic.call('travel', 'hotel', { from: 10, cell });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: root.id, method: 'listener' });
  });

  it('hangs a card fetch on the call it was made for', () => {
    const traffic = new Traffic();
    const root = traffic.call('harness', 'travel', { from: 0, to: 100, cell });
    const card = traffic.call('travel', 'hotel', { from: 3, cell, kind: 'card', method: 'GET' });
    expect(traffic.linkOf(card)).toMatchObject({ parent: root.id });
  });

  it('counts a call as open while the task it left behind is at work', () => {
    const traffic = new Traffic();
    const root = traffic.call('harness', 'travel', {
      from: 0,
      to: 2,
      cell,
      taskIds: [id('trip')],
      state: 'TASK_STATE_WORKING',
    });
    const hop = traffic.call('travel', 'hotel', { from: 10, cell });
    traffic.poll('harness', 'travel', {
      from: 20,
      cell,
      taskIds: [id('trip')],
      state: 'TASK_STATE_COMPLETED',
    });
    const late = traffic.call('travel', 'hotel', { from: 30, cell });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: root.id, method: 'listener' });
    expect(traffic.linkOf(late)).toEqual({
      exchange: late.id,
      method: 'none',
      confidence: 0,
      also: [{ exchange: root.id, reason: 'earlier-call' }],
    });
  });

  it('takes no poll that happens to be open for the cause of anything but the same operation further on', () => {
    const traffic = new Traffic();
    traffic.poll('harness', 'travel', { from: 5, to: 50, cell, taskIds: [id('trip')] });
    const card = traffic.call('travel', 'hotel', { from: 10, cell, kind: 'card', method: 'GET' });
    const relayed = traffic.poll('travel', 'hotel', { from: 20, cell, taskIds: ['t1'] });
    expect(traffic.linkOf(card)).toMatchObject({ method: 'none' });
    expect(traffic.linkOf(relayed)).toMatchObject({ parent: traffic.summaries[0]?.id, method: 'listener' });
  });

  it('takes a call that ends at the very moment for open, and one that ended before for closed', () => {
    const traffic = new Traffic();
    const root = traffic.call('harness', 'travel', { from: 0, to: 10, cell });
    const atTheEnd = traffic.call('travel', 'hotel', { from: 10, cell });
    const after = traffic.call('travel', 'hotel', { from: 11, cell });
    expect(traffic.linkOf(atTheEnd)).toMatchObject({ parent: root.id });
    expect(traffic.linkOf(after)).toMatchObject({ method: 'none' });
  });

  it('links nothing to nothing', () => {
    expect(linkHops({ run, participants: [], summaries: [] })).toEqual([]);
  });
});

describe('trace context', () => {
  it('takes a span id of ours that comes back for certain, whatever else is open', () => {
    const traffic = new Traffic();
    const first = traffic.call('harness', 'travel', {
      from: 0,
      to: 100,
      cell,
      forwardedTraceparent: injected(traffic),
    });
    traffic.call('harness', 'travel', { from: 1, to: 100, cell, forwardedTraceparent: injected(traffic) });
    const hop = traffic.call('travel', 'hotel', {
      from: 10,
      cell,
      traceparent: traceparentOf(traceIdOf(run, cell), spanIdOf(run, first.id, 'client')),
    });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: first.id, method: 'span-id', confidence: 1 });
  });

  it('ties a foreign span in our trace to the call of the trace', () => {
    const traffic = new Traffic();
    const root = traffic.call('harness', 'travel', {
      from: 0,
      to: 5,
      cell,
      forwardedTraceparent: injected(traffic),
    });
    const hop = traffic.call('travel', 'hotel', {
      from: 10,
      traceparent: traceparentOf(traceIdOf(run, cell), foreignSpan(1)),
    });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: root.id, method: 'trace-id', confidence: 0.95 });
  });

  it('takes the latest call of a trace where calls came one after the other', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, to: 5, cell, forwardedTraceparent: injected(traffic) });
    const second = traffic.call('harness', 'travel', {
      from: 6,
      to: 9,
      cell,
      forwardedTraceparent: injected(traffic),
    });
    const hop = traffic.call('travel', 'hotel', {
      from: 10,
      cell,
      traceparent: traceparentOf(traceIdOf(run, cell), foreignSpan(1)),
    });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: second.id, method: 'trace-id' });
  });

  it('does not take the latest of calls that overlapped, once all of them are over', () => {
    const traffic = new Traffic();
    for (const from of [0, 1]) {
      traffic.call('harness', 'travel', { from, to: 5, cell, forwardedTraceparent: injected(traffic) });
    }
    const hop = traffic.call('travel', 'hotel', {
      from: 10,
      cell,
      traceparent: traceparentOf(traceIdOf(run, cell), foreignSpan(1)),
    });
    expect(traffic.linkOf(hop)).toMatchObject({ method: 'none' });
    expect(traffic.linkOf(hop)?.also).toHaveLength(2);
  });

  it('does not choose among calls of a trace that overlap, but lists them', () => {
    const traffic = new Traffic();
    const calls = [0, 1, 2].map((from) =>
      traffic.call('harness', 'travel', { from, to: 100, cell, forwardedTraceparent: injected(traffic) }),
    );
    const hop = traffic.call('travel', 'hotel', {
      from: 10,
      cell,
      traceparent: traceparentOf(traceIdOf(run, cell), foreignSpan(1)),
    });
    expect(traffic.linkOf(hop)).toEqual({
      exchange: hop.id,
      method: 'none',
      confidence: 0,
      also: calls.map(({ id: exchange }) => ({ exchange, reason: 'open-call' })),
    });
  });

  it('tells overlapping calls apart by our span id in tracestate, which survives the spans of the agent', () => {
    const traffic = new Traffic();
    const calls = Array.from({ length: 16 }, (_, from) =>
      traffic.call('harness', 'travel', { from, to: 100, cell, forwardedTraceparent: injected(traffic) }),
    );
    const hops = calls.toReversed().map((call, n) =>
      traffic.call('travel', 'hotel', {
        from: 20 + n,
        cell,
        traceparent: traceparentOf(traceIdOf(run, cell), foreignSpan(n)),
        tracestate: tracestateOf(spanIdOf(run, call.id, 'client'), 'vendor=1'),
      }),
    );
    const links = traffic.links();
    expect(links.map(({ exchange, parent }) => [exchange, parent])).toEqual(
      hops.map((hop, n) => [hop.id, calls[15 - n]?.id]),
    );
  });

  it('recognises the context of a caller that traces by itself, where Plugfest only observes', () => {
    const traffic = new Traffic();
    const theirs = (n: number) => n.toString(16).padStart(32, '1');
    const calls = [1, 2].map((n) =>
      traffic.call('harness', 'travel', {
        from: n,
        to: 100,
        traceparent: traceparentOf(theirs(n), foreignSpan(n)),
      }),
    );
    const hop = traffic.call('travel', 'hotel', {
      from: 10,
      traceparent: traceparentOf(theirs(1), foreignSpan(9)),
    });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: calls[0]?.id, method: 'trace-id' });
  });

  it('ignores a span id of a run that is not this one', () => {
    const traffic = new Traffic();
    const root = traffic.call('harness', 'travel', { from: 0, to: 100, cell });
    const hop = traffic.call('travel', 'hotel', {
      from: 10,
      cell,
      traceparent: traceparentOf('f'.repeat(32), spanIdOf('another-run' as typeof run, root.id, 'client')),
    });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: root.id, method: 'listener' });
  });
});

describe('concurrent delegations', () => {
  /** Sixteen trips at once from travel to hotel, and sixteen stays at once the other way. */
  function bothWays(evidence: (n: number, side: string) => Partial<Parameters<Traffic['call']>[2]>) {
    const traffic = new Traffic();
    const expected: [string, string][] = [];
    const order = Array.from({ length: 16 }, (_, n) => (n * 7) % 16);
    const inbound = new Map<string, string>();
    for (const n of order) {
      for (const agent of ['travel', 'hotel']) {
        const call = traffic.call('harness', agent, { from: n, to: 500, cell, ...evidence(n, agent) });
        inbound.set(`${agent}${String(n)}`, call.id);
      }
    }
    for (const n of order.toReversed()) {
      for (const [agent, peer] of [
        ['travel', 'hotel'],
        ['hotel', 'travel'],
      ] as const) {
        const hop = traffic.call(agent, peer, { from: 100 + n, to: 400, cell, ...evidence(n, agent) });
        expected.push([hop.id, inbound.get(`${agent}${String(n)}`) ?? '']);
      }
    }
    return { traffic, expected };
  }

  it.each([
    ['context ids', (n: number, side: string) => ({ contextIds: [id(`${side}-context-${String(n)}`)] })],
    [
      'texts',
      (n: number, side: string) => ({ partDigests: [text(`${side}-${String(n)}`), text('same for all')] }),
    ],
  ])('are told apart by %s, and never crossed', (_, evidence) => {
    const { traffic, expected } = bothWays(evidence);
    const parents = new Map(
      traffic.links().map(({ exchange, parent }) => [exchange as string, parent as string]),
    );
    expect(expected.map(([hop]) => [hop, parents.get(hop)])).toEqual(expected);
  });

  it('are all left undecided where nothing tells them apart', () => {
    const { traffic } = bothWays(() => ({ partDigests: [text('the same question')] }));
    const links = traffic.links();
    expect(links).toHaveLength(32);
    expect(links.every(({ method, parent }) => method === 'none' && parent === undefined)).toBe(true);
    expect(links.every(({ also }) => also.length === 16)).toBe(true);
  });

  it('are not tied by short ids, which two agents may both hand out', () => {
    const { traffic } = bothWays((n) => ({ taskIds: [`task-${String(n)}`] }));
    expect(traffic.links().every(({ method }) => method === 'none')).toBe(true);
  });
});

describe('operations on a task', () => {
  it('go on with what made the task: polls are siblings of the send', () => {
    const traffic = new Traffic();
    const root = traffic.stream('harness', 'travel', { from: 0, to: 100, cell });
    const send = traffic.call('travel', 'hotel', {
      from: 10,
      cell,
      taskIds: ['t1'],
      state: 'TASK_STATE_WORKING',
    });
    traffic.call('harness', 'travel', { from: 15, to: 90, cell });
    const polls = [20, 30].map((from) => traffic.poll('travel', 'hotel', { from, cell, taskIds: ['t1'] }));
    expect(traffic.linkOf(send)).toMatchObject({ parent: root.id });
    for (const poll of polls) {
      expect(traffic.linkOf(poll)).toMatchObject({
        parent: root.id,
        method: 'protocol-id',
        confidence: 0.85,
      });
    }
  });

  it('of the harness are roots like its send', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, cell, taskIds: [id('trip')] });
    const poll = traffic.poll('harness', 'travel', { from: 10, cell, taskIds: [id('trip')] });
    expect(traffic.linkOf(poll)).toBeUndefined();
  });

  it('that an agent relays hang on the operation relayed', () => {
    const traffic = new Traffic();
    traffic.stream('harness', 'gateway', { from: 0, to: 100, cell, taskIds: [id('trip')] });
    const asked = traffic.poll('harness', 'gateway', { from: 10, to: 20, cell, taskIds: [id('trip')] });
    const relayed = traffic.poll('gateway', 'hotel', { from: 12, to: 18, cell, taskIds: [id('trip')] });
    expect(traffic.linkOf(relayed)).toMatchObject({ parent: asked.id, method: 'protocol-id' });
  });

  it('are undecided like the send was, and say so', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, to: 100, cell });
    traffic.call('harness', 'travel', { from: 1, to: 100, cell });
    const send = traffic.call('travel', 'hotel', { from: 10, cell, taskIds: ['t1'] });
    const poll = traffic.poll('travel', 'hotel', { from: 20, cell, taskIds: ['t1'] });
    expect(traffic.linkOf(poll)).toMatchObject({ method: 'none' });
    expect(traffic.linkOf(poll)?.also[0]).toEqual({ exchange: send.id, reason: 'same-task' });
  });

  it('keep a delegation on the stream that was cut and subscribed to again', () => {
    const traffic = new Traffic();
    const stream = traffic.stream('harness', 'travel', {
      from: 0,
      to: 10,
      cell,
      taskIds: [id('trip')],
      state: 'TASK_STATE_WORKING',
      end: 'client-abort',
    });
    traffic.call('harness', 'travel', {
      from: 20,
      to: 100,
      cell,
      operation: 'SubscribeToTask',
      taskIds: [id('trip')],
      state: 'TASK_STATE_COMPLETED',
      events: [{ atNs: 90e6, kind: 'status-update', state: 'TASK_STATE_COMPLETED' }],
    });
    const hop = traffic.call('travel', 'hotel', { from: 30, cell });
    const late = traffic.call('travel', 'hotel', { from: 95, cell });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: stream.id, method: 'listener' });
    expect(traffic.linkOf(late)).toMatchObject({ method: 'none' });
  });

  it('of another cell do not pass for siblings, where an agent hands out the same id again', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, to: 10, cell: cellId('one') });
    traffic.call('travel', 'hotel', { from: 5, cell: cellId('one'), taskIds: ['task-1'] });
    const root = traffic.call('harness', 'travel', { from: 20, to: 40, cell: cellId('two') });
    const poll = traffic.poll('travel', 'hotel', { from: 30, cell: cellId('two'), taskIds: ['task-1'] });
    expect(traffic.linkOf(poll)).toMatchObject({ parent: root.id, method: 'listener' });
  });

  it('do not follow a context that an agent uses for all it asks of a peer', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, to: 100, cell, contextIds: [id('one')] });
    const first = traffic.call('travel', 'hotel', {
      from: 5,
      cell,
      taskIds: ['t1'],
      contextIds: [id('all')],
    });
    traffic.call('harness', 'travel', { from: 10, to: 100, cell, contextIds: [id('two')] });
    const second = traffic.call('travel', 'hotel', {
      from: 15,
      cell,
      taskIds: ['t2'],
      contextIds: [id('all')],
    });
    expect(traffic.linkOf(first)).toMatchObject({ method: 'listener' });
    expect(traffic.linkOf(second)).toMatchObject({ method: 'none' });
  });

  it('in a second turn hang on the second call of the conversation', () => {
    const traffic = new Traffic();
    const turn = { contextIds: [id('conversation')] };
    traffic.call('harness', 'travel', { from: 0, to: 10, ...turn });
    traffic.call('travel', 'hotel', { from: 5, taskIds: ['t1'], contextIds: ['c1'] });
    traffic.call('harness', 'travel', { from: 18, to: 60 });
    const second = traffic.call('harness', 'travel', { from: 20, to: 60, ...turn });
    const hop = traffic.call('travel', 'hotel', { from: 30, taskIds: ['t1'], contextIds: ['c1'] });
    expect(traffic.linkOf(hop)).toMatchObject({ parent: second.id, method: 'protocol-id' });
  });
});

describe('webhooks', () => {
  const url = 'http://receiver.example:8080/hook/1';

  it('hang on the send that made the task, with its inline config as second cause', () => {
    const traffic = new Traffic();
    const send = traffic.call('harness', 'travel', {
      from: 0,
      cell,
      taskIds: ['t1'],
      pushUrls: [url],
      pushTokens: ['hmac:1'],
    });
    traffic.poll('harness', 'travel', { from: 9, to: 30, cell, taskIds: ['t1'] });
    const delivery = traffic.webhook('travel', 'harness', {
      from: 20,
      taskIds: ['t1'],
      pushUrls: [url.replace('http://', '')],
      pushTokens: ['hmac:1'],
    });
    expect(traffic.linkOf(delivery)).toEqual({
      exchange: delivery.id,
      parent: send.id,
      method: 'protocol-id',
      confidence: 0.85,
      also: [{ exchange: send.id, reason: 'push_config' }],
    });
  });

  it('hang on the send, and point to the operation that registered them', () => {
    const traffic = new Traffic();
    const send = traffic.stream('travel', 'hotel', { from: 0, to: 100, cell, taskIds: ['t1'] });
    const config = traffic.call('travel', 'hotel', {
      from: 5,
      cell,
      operation: 'CreateTaskPushNotificationConfig',
      taskIds: ['t1'],
      pushUrls: [url],
    });
    const delivery = traffic.webhook('hotel', 'travel', { from: 20, cell, taskIds: ['t1'], pushUrls: [url] });
    expect(traffic.linkOf(delivery)).toMatchObject({
      parent: send.id,
      also: [{ exchange: config.id, reason: 'push_config' }],
    });
  });

  it('are told apart by task where sixteen share one receiver', () => {
    const traffic = new Traffic();
    const sends = Array.from({ length: 16 }, (_, n) =>
      traffic.call('harness', 'travel', { from: n, cell, taskIds: [`t${String(n)}`], pushUrls: [url] }),
    );
    const deliveries = sends
      .toReversed()
      .map(({ taskIds }, n) =>
        traffic.webhook('travel', 'harness', { from: 50 + n, cell, taskIds, pushUrls: [url] }),
      );
    expect(deliveries.map((each) => traffic.linkOf(each)?.parent)).toEqual(
      sends.toReversed().map((each) => each.id),
    );
  });

  it('without a task are tied by their token, and are undecided where several share it', () => {
    const traffic = new Traffic();
    const first = traffic.call('harness', 'travel', {
      from: 0,
      taskIds: ['t1'],
      pushUrls: [url],
      pushTokens: ['a'],
    });
    const second = traffic.call('harness', 'travel', {
      from: 1,
      taskIds: ['t2'],
      pushUrls: [url],
      pushTokens: ['b'],
    });
    const known = traffic.webhook('travel', 'harness', { from: 10, pushUrls: [url], pushTokens: ['b'] });
    const unknown = traffic.webhook('travel', 'harness', { from: 11, pushUrls: [url] });
    expect(traffic.linkOf(known)).toMatchObject({ parent: second.id, method: 'protocol-id' });
    expect(traffic.linkOf(unknown)).toEqual({
      exchange: unknown.id,
      method: 'none',
      confidence: 0,
      also: [first, second].map((each) => ({ exchange: each.id, reason: 'earlier-call' })),
    });
  });

  it('that nobody asked for have a link without candidates', () => {
    const traffic = new Traffic();
    const delivery = traffic.webhook('travel', 'harness', { from: 0, taskIds: ['t9'] });
    expect(traffic.linkOf(delivery)).toEqual({
      exchange: delivery.id,
      method: 'none',
      confidence: 0,
      also: [],
    });
  });

  it('of an id that an agent hands out again in each cell belong to the send of their cell', () => {
    const traffic = new Traffic();
    const [one, two] = ['one', 'two'].map(cellId);
    traffic.call('harness', 'travel', {
      from: 0,
      ...(one && { cell: one }),
      taskIds: ['task-1'],
      pushUrls: [url],
    });
    const send = traffic.call('harness', 'travel', {
      from: 10,
      ...(two && { cell: two }),
      taskIds: ['task-1'],
      pushUrls: [url],
    });
    const delivery = traffic.webhook('travel', 'harness', {
      from: 20,
      ...(two && { cell: two }),
      taskIds: ['task-1'],
      pushUrls: [url],
    });
    expect(traffic.linkOf(delivery)).toMatchObject({ parent: send.id });
  });

  it('of an id that was handed out twice are undecided where nothing says which cell they are of', () => {
    const traffic = new Traffic();
    for (const [n, name] of ['one', 'two'].entries()) {
      traffic.call('harness', 'travel', {
        from: n,
        cell: cellId(name),
        taskIds: ['task-1'],
        pushUrls: [url],
      });
    }
    const delivery = traffic.webhook('travel', 'harness', { from: 20, taskIds: ['task-1'] });
    expect(traffic.linkOf(delivery)).toMatchObject({ method: 'none' });
    expect(traffic.linkOf(delivery)?.also).toHaveLength(2);
  });

  it('that carry on the trace of their send are tied by trace and task', () => {
    const traffic = new Traffic();
    const sends = [0, 1].map((from) =>
      traffic.call('harness', 'travel', {
        from,
        cell,
        taskIds: [`t${String(from)}`],
        pushUrls: [url],
        forwardedTraceparent: injected(traffic),
      }),
    );
    const delivery = traffic.webhook('travel', 'harness', {
      from: 20,
      cell,
      taskIds: ['t0'],
      pushUrls: [url],
      traceparent: traceparentOf(traceIdOf(run, cell), foreignSpan(1)),
    });
    expect(traffic.linkOf(delivery)).toMatchObject({
      parent: sends[0]?.id,
      method: 'trace-id',
      confidence: 0.95,
      also: [{ exchange: sends[0]?.id, reason: 'push_config' }],
    });
  });

  it('cause what their receiver does about them', () => {
    const traffic = new Traffic();
    traffic.call('travel', 'hotel', { from: 0, cell, taskIds: [id('stay')], pushUrls: [url] });
    const delivery = traffic.webhook('hotel', 'travel', {
      from: 20,
      to: 40,
      cell,
      taskIds: [id('stay')],
      pushUrls: [url],
    });
    const fetch = traffic.poll('travel', 'hotel', { from: 25, cell, taskIds: [id('stay')] });
    expect(traffic.linkOf(fetch)).toMatchObject({ parent: delivery.id, method: 'protocol-id' });
  });
});

describe('an agent that drives its cell itself', () => {
  const many = {
    id: cell,
    client: 'travel',
    server: 'hotel',
    binding: 'JSONRPC',
    version: '1.0',
    scenario: 'many',
  } as const;
  const linksOf = ({ participants, summaries }: Traffic) =>
    new Map(
      linkHops({ run, participants, summaries, cells: [many] }).map((link) => [
        link.exchange as string,
        link,
      ]),
    );

  it('is not taken to be answering whoever calls it meanwhile', () => {
    const traffic = new Traffic();
    traffic.call('travel', 'hotel', { from: 0, to: 100, cell });
    const back = traffic.call('hotel', 'travel', { from: 10, to: 50, cell });
    const next = traffic.call('travel', 'hotel', { from: 20, to: 90, cell });
    expect(linksOf(traffic).get(next.id)).toMatchObject({
      method: 'none',
      also: [{ exchange: back.id, reason: 'open-call' }],
    });
  });

  it('calls because of the only instruction of the harness then under way', () => {
    const traffic = new Traffic();
    const first = traffic.call('harness', 'travel', { from: 0, to: 50, cell });
    const card = traffic.call('travel', 'hotel', { from: 5, cell, kind: 'card', method: 'GET' });
    const send = traffic.call('travel', 'hotel', { from: 10, to: 40, cell, taskIds: ['t1'] });
    traffic.call('hotel', 'travel', { from: 15, to: 200, cell });
    const second = traffic.call('harness', 'travel', { from: 60, to: 90, cell });
    const poll = traffic.poll('travel', 'hotel', { from: 70, cell, taskIds: ['t1'] });
    const links = linksOf(traffic);
    for (const [hop, parent] of [
      [card, first],
      [send, first],
      [poll, second],
    ] as const)
      expect(links.get(hop.id)).toMatchObject({ parent: parent.id, method: 'listener', confidence: 0.9 });
  });

  it('is not taken to act on an instruction that is over, or on one of another cell', () => {
    const traffic = new Traffic();
    traffic.call('harness', 'travel', { from: 0, to: 100, cell: cellId('another') });
    traffic.call('harness', 'travel', { from: 0, to: 5, cell });
    const hop = traffic.call('travel', 'hotel', { from: 10, cell });
    expect(linksOf(traffic).get(hop.id)).toBeUndefined();
  });

  it('that was told several things at once is understood by the text it was told to send, or not at all', () => {
    const traffic = new Traffic();
    const told = [0, 1, 2].map((n) =>
      traffic.call('harness', 'travel', { from: n, to: 100, cell, partDigests: [text(`order ${n}`)] }),
    );
    const sends = [2, 0, 1].map((n) =>
      traffic.call('travel', 'hotel', { from: 10 + n, to: 90, cell, partDigests: [text(`order ${n}`)] }),
    );
    const card = traffic.call('travel', 'hotel', { from: 9, cell, kind: 'card', method: 'GET' });
    const links = linksOf(traffic);
    expect(sends.map(({ id }) => [links.get(id)?.parent, links.get(id)?.method])).toEqual(
      [2, 0, 1].map((n) => [told[n]?.id, 'part-digest']),
    );
    expect(links.get(card.id)).toEqual({
      exchange: card.id,
      method: 'none',
      confidence: 0,
      also: told.map(({ id }) => ({ exchange: id, reason: 'open-call' })),
    });
  });
});

it('links 100,000 exchanges without comparing each with each', () => {
  const traffic = new Traffic();
  for (let n = 0; n < 20_000; n++) {
    const from = n * 2;
    const context = { contextIds: [id(`c${String(n)}`)] };
    traffic.call('harness', 'travel', { from, to: from + 400, ...context, partDigests: [text(String(n))] });
    traffic.call('travel', 'hotel', {
      from: from + 1,
      to: from + 300,
      ...context,
      taskIds: [`t${String(n)}`],
    });
    traffic.poll('travel', 'hotel', { from: from + 1, taskIds: [`t${String(n)}`] });
    traffic.call('hotel', 'bank', { from: from + 1, to: from + 200, partDigests: [text('same')] });
    traffic.webhook('hotel', 'travel', {
      from: from + 1,
      taskIds: [`t${String(n)}`],
      pushUrls: ['http://one.example'],
    });
  }
  traffic.summaries.sort((a, b) => a.startNs - b.startNs);
  const links = traffic.links();
  expect(links.filter(({ method }) => method === 'protocol-id').length).toBe(60_000);
  expect(links.filter(({ parent }) => parent === exchangeId('x1'))).not.toHaveLength(0);
}, 30_000);
