import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import type { DriveMessage } from '../../packages/orchestrator/src/driver/drive.ts';
import { checking, label, said } from './check.ts';
import { type Bytes, base64, behaviors, calling, holding, returning, steps } from './instruction.ts';
import { dialectsOf, type Kind, protocolOf, tried } from './kinds.ts';
import { Running } from './running.ts';
import { endOf, saysOf, shapeOf } from './seen.ts';
import { Webhook } from './webhook.ts';

/** docs/lab-agents.md, section ITK: each installed agent carries instructions out, by calls to itself where they call. */
vi.setConfig({ testTimeout: 90_000 });

let webhook: Webhook;
beforeAll(async () => {
  webhook = await Webhook.open();
});
afterAll(() => webhook[Symbol.asyncDispose]());

const transports = { JSONRPC: 'jsonrpc', 'HTTP+JSON': 'http_json', GRPC: 'grpc' } as const;

for (const kind of tried) describe(kind.name, () => carriesOut(kind));

function carriesOut(kind: Kind): void {
  let agent: Running;
  beforeAll(async () => {
    agent = await Running.start(kind, ['--protocol', protocolOf(kind)]);
  }, 90_000);
  afterAll(() => agent?.[Symbol.asyncDispose]());

  const [told] = dialectsOf(kind);
  if (told === undefined) throw new Error(`${kind.name} has no dialects`);
  const message = (instruction: Bytes): DriveMessage => {
    const part = {
      raw: base64(instruction),
      mediaType: 'application/x-protobuf',
      filename: 'instruction.bin',
    };
    return { messageId: randomUUID(), parts: [part] };
  };
  const send = (what: DriveMessage, dialect = told) =>
    agent.call(dialect, { op: 'SendMessage', message: what });
  /** How the task of an instruction ends, and with which words. */
  const carry = async (instruction: Bytes, dialect = told) => {
    const result = await send(message(instruction), dialect);
    return [endOf(result), saysOf(result)];
  };

  for (const dialect of dialectsOf(kind))
    checking(kind, label(dialect))(
      `${label(dialect)}: the outputs of steps are joined by line ends`,
      async () => {
        const nested = steps(returning('one'), steps(returning('two'), returning('three')));
        expect(await carry(nested, dialect)).toEqual(['COMPLETED', 'one\ntwo\nthree']);
      },
    );

  const check = checking(kind, '');
  check('base64 in a text is an instruction, and a text that only looks like it is a text', async () => {
    expect(saysOf(await send(said(base64(returning('as text')))))).toBe('as text');
    expect(endOf(await send(said('abcd')))).toBe('COMPLETED');
    expect(saysOf(await send(said('abcd')))).not.toBe('as text');
  });

  check('bytes that are no instruction fail the task', async () => {
    expect((await carry([0xff, 0xff, 0xff]))[0]).toBe('FAILED');
  });

  for (const binding of kind.bindings) {
    const transport = transports[binding];
    for (const streaming of [false, true])
      check(`calls over ${transport}, ${streaming ? 'by stream' : 'and waits'}`, async () => {
        const call = calling(transport, agent.url, returning('pong'), { streaming });
        expect(await carry(steps(returning('ping'), call))).toEqual(['COMPLETED', 'ping\npong']);
      });

    check(`takes a held task over ${transport} up again, reads it to its mark, and cancels it`, async () => {
      const call = calling(transport, agent.url, holding('held'), {
        ...{ streaming: true, behavior: behaviors.resubscribe },
      });
      const begin = performance.now();
      expect(await carry(call)).toEqual(['COMPLETED', 'held']);
      // A held task that nobody cancels works for 10 s.
      expect(performance.now() - begin).toBeLessThan(9_000);
    });
  }

  check('other names of HTTP+JSON are understood', async () => {
    for (const transport of kind.bindings.includes('HTTP+JSON') ? ['rest', 'HTTP+JSON'] : [])
      expect(await carry(calling(transport, agent.url, returning('pong')))).toEqual(['COMPLETED', 'pong']);
  });

  check('registers the webhook with the token of the test kit', async () => {
    const path = `/${randomUUID()}`;
    const behavior = behaviors.push(webhook.url + path);
    expect(await carry(calling('jsonrpc', agent.url, returning('pushed'), { behavior }))).toEqual([
      'COMPLETED',
      'pushed',
    ]);
    const { headers } = await webhook.delivered(`${path}/notifications`, /pushed/);
    expect(Object.values(headers)).toContain('itk-token');
  });

  check(
    'a transport that nobody speaks fails the task, with words that name it, across a hop, too',
    async () => {
      const call = calling('pigeon', agent.url, returning('x'));
      for (const instruction of [call, calling('jsonrpc', agent.url, call)]) {
        const [end, words] = await carry(instruction);
        expect(end).toBe('FAILED');
        expect(words).toContain('pigeon');
      }
    },
  );

  check('a held task says its words and the mark, ticks, and completes by itself', async () => {
    const result = await agent.call(told, { op: 'SendStreamingMessage', message: message(holding('wait')) });
    expect(result.error).toBeUndefined();
    const shape = [...shapeOf(result.events)];
    // Whether it says before that it works is left to it.
    if (shape.length === 8) expect(shape.shift()).toBe('WORKING');
    expect(shape).toEqual([...Array.from({ length: 6 }, () => 'WORKING'), 'COMPLETED']);
    expect(JSON.stringify(result.events)).toContain('wait\\ntask-finished');
  });
}
