import { describe, expect, test } from 'vitest';
import type { DriveCall, DriveError, DriveResult } from '../driver/drive.ts';
import type { RawAnswer } from '../scenario/context.ts';
import type { Scenario } from '../scenario/define.ts';
import { type Defect, MadeUpAgent } from '../testing/made-up-agent.ts';
import { againstAdvice, failuresOf, type Played } from '../testing/played.ts';
import auth from './auth.ts';
import authForeignTask from './auth-foreign-task.ts';
import authLists from './auth-lists.ts';
import authNobody from './auth-nobody.ts';
import cancelStream from './cancel-stream.ts';
import contextTasks from './context-tasks.ts';
import errorsExtendedCard from './errors-extended-card.ts';
import extendedCard from './extended-card.ts';
import extendedCardPrincipals from './extended-card-principals.ts';
import extensionRequired from './extension-required.ts';
import extensions from './extensions.ts';
import fileParts from './file-parts.ts';
import headerCase from './header-case.ts';
import historyLength from './history-length.ts';
import largeFile from './large-file.ts';
import lateSubscriber from './late-subscriber.ts';
import listTasks from './list-tasks.ts';
import outputModes from './output-modes.ts';
import refinement from './refinement.ts';
import oversized from './resilience-oversized.ts';
import resilienceRestart from './resilience-restart.ts';
import silentWebhook from './resilience-silent-webhook.ts';
import resubscribe from './resubscribe.ts';
import streamFollowUp from './stream-follow-up.ts';
import structuredData from './structured-data.ts';
import subscribers from './subscribers.ts';
import versions from './versions.ts';
import webhookRedirect from './webhook-redirect.ts';

const withAgent = (...defects: readonly Defect[]): Played => {
  const agent = new MadeUpAgent(...defects);
  return { call: (call, options) => agent.call(call, options) };
};

describe('a defect of an agent', () => {
  const found: readonly (readonly [Scenario, Defect, string])[] = [
    [refinement, 'reopens-tasks', 'round 2 makes a task of its own'],
    [refinement, 'own-contexts', 'round 2 stays in the context'],
    [contextTasks, 'own-contexts', 'each send stays in the context'],
    [contextTasks, 'reopens-tasks', 'each send makes a task of its own'],
    [subscribers, 'drops-all-subscribers', 'the last state for subscriber 1 is COMPLETED'],
    [resubscribe, 'drops-all-subscribers', 'the last state is COMPLETED'],
    [lateSubscriber, 'begins-with-an-update', 'the first event is the task'],
    [lateSubscriber, 'drops-all-subscribers', 'the last state is COMPLETED'],
    [cancelStream, 'cancels-without-a-word', 'the last state is CANCELED'],
    [historyLength, 'whole-history', 'the follow-up brings at most 1 messages of the history'],
    [listTasks, 'lists-oldest-first', 'the newest comes first'],
    [listTasks, 'lists-artifacts-always', 'artifacts are left out unless asked for'],
    [outputModes, 'one-mode', 'no text comes where JSON is accepted'],
    [outputModes, 'any-mode', 'a mode that nobody can make is refused or rejected'],
    [fileParts, 'loses-file-names', 'a file by value, part 1: the filename comes back'],
    [fileParts, 'cuts-files', 'a file by value, part 1: the 256 bytes come back'],
    [largeFile, 'cuts-files', 'a file of 2 MiB, part 1: the 2097152 bytes come back'],
    [structuredData, 'shuffles-data', 'structured data, part 1: the content comes back'],
    [authForeignTask, 'shows-to-all', 'GetTask is refused for a task of another'],
    [authForeignTask, 'tells-what-exists', 'GetTask is answered alike for a task of another and for none'],
    [authLists, 'lists-for-all', "the second's list has no task of the first"],
    [authNobody, 'knows-nobody', 'a send without credentials is refused'],
    [extensions, 'refuses-extensions', 'a send that asks for extensions succeeds'],
    [extendedCard, 'same-extended-card', 'the extended card of alice has the skill'],
    [extendedCard, 'knows-nobody', 'without credentials it is refused'],
  ];

  test.each([...new Set(found.map(([scenario]) => scenario))])(
    'is none where all is well ($id)',
    async (scenario) => {
      expect(await failuresOf(scenario, withAgent())).toEqual([]);
    },
  );

  test.each(found.map(([scenario, defect, check]) => ({ scenario, id: scenario.id, defect, check })))(
    'is found: $defect by $id',
    async ({ scenario, defect, check }) => {
      expect(await failuresOf(scenario, withAgent(defect))).toContain(check);
    },
  );

  test('in lists of other contexts shows where there are any', async () => {
    const agent = new MadeUpAgent('lists-every-context');
    await agent.call({ op: 'SendMessage', message: { messageId: 'm', text: 'plugfest-echo before' } });
    expect(await failuresOf(listTasks, { call: (call) => agent.call(call) })).toContain(
      'each task is listed once, and no other',
    );
  });
});

describe('answers to probes', () => {
  const error = (errorName: string, status = 400): Partial<RawAnswer> => ({
    ok: false,
    isError: true,
    errorName,
    status,
  });
  const unsupported = error('VersionNotSupportedError');
  const missing = error('TaskNotFoundError', 404);
  /** By the version of the header, however its name is written. */
  const byVersion =
    (
      answer: (version: string | undefined, name: string) => Partial<RawAnswer>,
    ): NonNullable<Played['request']> =>
    (_operation, headers) => {
      const [name = '', version] = Object.entries(headers)[0] ?? [];
      return answer(version, name);
    };

  test('about versions', async () => {
    const good = byVersion((version) => (/^1\.0(\.|$)/.test(version ?? '') ? missing : unsupported));
    expect(await failuresOf(versions, { request: good })).toEqual([]);
    const strict = byVersion((version) => (version === '1.0' ? missing : unsupported));
    expect(await failuresOf(versions, { request: strict })).toEqual([
      'version 1.0.7 is taken as 1.0 (A2A 1.0 section 3.6)',
    ]);
    expect(await failuresOf(versions, { request: () => missing })).toEqual([
      'version 99.0 is refused with VersionNotSupportedError',
      'a call without a version is refused with VersionNotSupportedError',
    ]);
  });

  test('about the case of header names', async () => {
    const good = byVersion((version) => (version === '1.0' ? missing : unsupported));
    expect(await failuresOf(headerCase, { request: good })).toEqual([]);
    const lowerOnly = byVersion((version, name) =>
      version === '99.0' && (name === 'a2a-version' || name === 'A2A-Version') ? unsupported : missing,
    );
    expect(await failuresOf(headerCase, { request: lowerOnly })).toEqual([
      'A2A-VERSION: 99.0 is read as A2A-Version: 99.0 is',
      'a2A-vErSiOn: 99.0 is read as A2A-Version: 99.0 is',
    ]);
    expect(await failuresOf(headerCase, { request: () => missing })).toEqual(['the version is looked at']);
  });

  test('about the extended card that is not there', async () => {
    const refuses = () => error('UnsupportedOperationError');
    expect(await failuresOf(errorsExtendedCard, { request: refuses })).toEqual([]);
    expect(await failuresOf(errorsExtendedCard, { request: () => ({}) })).toHaveLength(1);
  });

  test('about credentials', async () => {
    const call = withAgent().call;
    const dialect = { binding: 'HTTP+JSON', version: '1.0' } as const;
    const guarded: Played['request'] = (_operation, { authorization }) =>
      authorization === 'Bearer alice' ? missing : { ok: false, status: 401 };
    const open: Played['request'] = () => missing;
    const lax: Played['request'] = (_operation, { authorization }) =>
      authorization?.startsWith('Bearer ') ? missing : { ok: false, status: 401 };
    if (!call) throw new Error('an agent has calls');
    expect(await failuresOf(auth, { call, dialect, request: guarded })).toEqual([]);
    expect((await failuresOf(auth, { call, dialect, request: open })).length).toBeGreaterThan(8);
    expect(await failuresOf(auth, { call, dialect, request: lax })).toContain(
      'GetTask with a token that nobody was given is answered with 401',
    );
  });

  test('about extensions', async () => {
    const { call } = withAgent();
    if (!call) throw new Error('an agent has calls');
    const plugfest = { call, client: 'plugfest' };
    expect(await failuresOf(extensions, plugfest)).toEqual([]);
    const claims: Played['request'] = (_operation, headers) => ({
      headers: { 'a2a-extensions': headers['A2A-Extensions'] ?? '' },
    });
    expect(await failuresOf(extensions, { ...plugfest, request: claims })).toEqual([
      'none of them is said to be in use',
    ]);
    const offered = 'https://plugfest.example/extensions/lab/v1';
    const offering = { ...plugfest, offeredExtensions: [offered] };
    expect(await failuresOf(extensions, offering)).toEqual([]);
    const fallsBack: Played['request'] = (_operation, headers) => ({
      headers: headers['A2A-Extensions']?.endsWith('lab/v2') ? { 'a2a-extensions': `x, ${offered}` } : {},
    });
    expect(await failuresOf(extensions, { ...offering, request: fallsBack })).toEqual([
      'no other version is said to be in use',
    ]);
    const served: Played['call'] = (one, options) =>
      options?.extensions?.includes('https://plugfest.example/extensions/lab/v2')
        ? Promise.resolve({ ok: false, error: { name: 'InternalError', message: 'no' }, events: [] })
        : call(one, options);
    expect(await failuresOf(extensions, { ...offering, call: served })).toEqual([
      'a send that asks for another version succeeds',
    ]);
  });

  test('about the cards of two principals', async () => {
    const own: Played['request'] = (_operation, { authorization }) => ({
      text: `for ${authorization?.slice(7)}`,
    });
    expect(await failuresOf(extendedCardPrincipals, { request: own })).toEqual([]);
    expect(await failuresOf(extendedCardPrincipals, { request: () => ({ text: 'for alice' }) })).toEqual([
      'the card of bob names it',
      'the card of bob does not name alice',
    ]);
  });
});

describe('an extension that the card requires', () => {
  const uri = 'https://plugfest.example/extensions/lab/v1';
  const error = { name: 'ExtensionSupportRequiredError', code: -32008, message: 'ask for it' };
  /** An agent that lets in those whose wishes it likes, and refuses others with this error. */
  const guarded = (lets: (asked: readonly string[]) => boolean, refusal: DriveError = error): Played => {
    const agent = new MadeUpAgent();
    return {
      requiredExtensions: [uri],
      call: async (call, { ignoresRequired = false, extensions: wished = [] } = {}) =>
        lets([...(ignoresRequired ? [] : [uri]), ...wished])
          ? agent.call(call)
          : { ok: false, error: refusal, events: [] },
    };
  };
  const right = (asked: readonly string[]) => asked.includes(uri);
  const old = { binding: 'JSONRPC', version: '0.3' } as const;

  test('lets in those who ask for it, and nobody else', async () => {
    expect(await failuresOf(extensionRequired, guarded(right))).toEqual([]);
    expect(
      await failuresOf(
        extensionRequired,
        guarded(() => true),
      ),
    ).toEqual(['a send without it is refused']);
    expect(
      await failuresOf(
        extensionRequired,
        guarded((asked) => asked.length > 0),
      ),
    ).toEqual(['a send with another version of it is refused']);
    expect(
      await failuresOf(
        extensionRequired,
        guarded(() => false),
      ),
    ).toEqual(['a send that asks for it succeeds']);
  });

  test('has an error of its own in 1.0, and none in 0.3', async () => {
    const other = { name: 'InvalidRequestError', code: -32600, message: 'no' };
    expect(await failuresOf(extensionRequired, guarded(right, other))).toEqual([
      'a send without it is refused with ExtensionSupportRequiredError',
      'a stream without it is refused with ExtensionSupportRequiredError',
      'a send with another version of it is refused with ExtensionSupportRequiredError',
    ]);
    expect(await failuresOf(extensionRequired, { ...guarded(right, other), dialect: old })).toEqual([]);
  });

  test('is named in the answer, as is recommended', async () => {
    const plugfest = { ...guarded(right), client: 'plugfest' };
    for (const [dialect, name] of [
      [undefined, 'A2A-Extensions'],
      [old, 'X-A2A-Extensions'],
    ] as const) {
      const names = { ...plugfest, ...(dialect && { dialect }) };
      const request: Played['request'] = (_operation, headers) => ({
        headers: { [name.toLowerCase()]: `https://other.example, ${headers[name]}` },
      });
      expect(await againstAdvice(extensionRequired, { ...names, request })).toEqual([]);
      expect(await againstAdvice(extensionRequired, names)).toEqual([
        `the answer names the extension in ${name}`,
      ]);
      expect(await failuresOf(extensionRequired, names)).toEqual([]);
    }
  });
});

describe('a task that ends before a busy machine comes to call', () => {
  test('is tried once more with longer work', async () => {
    const agent = new MadeUpAgent();
    const asked: string[] = [];
    const call = async (made: DriveCall): Promise<DriveResult> => {
      if (made.op === 'SendStreamingMessage') asked.push(made.message.text?.split(' ')[1] ?? '');
      const result = await agent.call(made);
      // The first one is over when somebody subscribes.
      if (made.op !== 'SubscribeToTask' || asked.length > 1) return result;
      const error = { name: 'UnsupportedOperationError', code: -32004, message: 'it has ended' };
      return { ok: false, error, events: [] };
    };
    expect(await failuresOf(resubscribe, { call })).toEqual([]);
    expect(asked).toEqual(['1200', '8000']);
  });
});

describe('what an agent may do', () => {
  test.each([[], ['streams-on-at-a-question']] as const)(
    'with a stream at a question fails nothing: %j',
    async (...behaviour) => {
      expect(await failuresOf(streamFollowUp, withAgent(...behaviour))).toEqual([]);
    },
  );

  test('does not include ending a task that waits for an answer', async () => {
    const agent = new MadeUpAgent();
    const hasty = (call: DriveCall) => {
      const message =
        call.op === 'SendStreamingMessage' ? { ...call.message, text: 'plugfest-echo x' } : undefined;
      return agent.call(message === undefined ? call : ({ ...call, message } as DriveCall));
    };
    expect(await failuresOf(streamFollowUp, { call: hasty })).toContain('the task is INPUT_REQUIRED');
  });

  test('with a large file is to refuse it, as no number is given', async () => {
    const strict = withAgent('takes-no-large-files');
    expect(await failuresOf(largeFile, strict)).toEqual([]);
    expect(await againstAdvice(largeFile, strict)).toEqual([
      'a file of 2 MiB is within the limits of the server',
    ]);
    expect(await againstAdvice(largeFile, withAgent())).toEqual([]);
    // Falling over it is something else.
    const agent = new MadeUpAgent();
    let fallen = false;
    const falls = async (call: DriveCall) => {
      fallen ||= JSON.stringify(call).length > 2 ** 20;
      const lost = { ok: false, error: { name: 'NetworkError', message: 'ECONNREFUSED' }, events: [] };
      return fallen ? lost : agent.call(call);
    };
    expect(await failuresOf(largeFile, { call: falls })).toEqual(['a file of 256 bytes succeeds']);
  });

  test('with an oversized message is to take it', async () => {
    expect(await failuresOf(oversized, withAgent())).toEqual([]);
    expect(await againstAdvice(oversized, withAgent())).toEqual(['a message of 6 MiB is refused']);
    expect(await againstAdvice(oversized, withAgent('takes-no-large-files'))).toEqual([]);
  });
});

describe('webhooks that take nothing', () => {
  const end = { taskId: 't1', state: 'TASK_STATE_COMPLETED' } as const;

  test('by a redirect that nobody may follow', async () => {
    const played = (followed: readonly object[]) => ({ ...withAgent(), deliveries: [followed, [end]] });
    expect(await failuresOf(webhookRedirect, played([]))).toEqual([]);
    // Nothing forbids it: A2A 1.0 section 13.2 has a SHOULD.
    expect(await failuresOf(webhookRedirect, played([end]))).toEqual([]);
    expect(await againstAdvice(webhookRedirect, played([]))).toEqual([]);
    expect(await againstAdvice(webhookRedirect, played([end]))).toEqual(['no delivery follows the redirect']);
  });

  test('by silence, until the sender leaves', async () => {
    const played = (delivery: object) => ({ ...withAgent(), deliveries: [[delivery]] });
    expect(await failuresOf(silentWebhook, played({ ...end, leftAfterMs: 10_000 }))).toEqual([]);
    expect(await failuresOf(silentWebhook, played(end))).toEqual(['the sender gives up within 45 s']);
  });
});

describe('a server that starts again', () => {
  const lost = { ok: false, error: { name: 'NetworkError', message: 'reset' }, events: [] };
  const played = ({ closes = true, countsOn = true }): Played => {
    let agent = new MadeUpAgent();
    const cut = Promise.withResolvers<void>();
    return {
      call: async (call, options) => {
        if (call.op !== 'SubscribeToTask') return agent.call(call, options);
        const { events } = await agent.call({ op: 'GetTask', taskId: call.taskId });
        await (closes ? cut.promise : new Promise(() => {}));
        return { ...lost, events };
      },
      restart: () => {
        agent = new MadeUpAgent();
        const message = { messageId: 'm', text: 'plugfest-echo before' };
        if (countsOn) void agent.call({ op: 'SendMessage', message });
        cut.resolve();
      },
    };
  };

  test('has to be noticed by its clients', async () => {
    expect(await failuresOf(resilienceRestart, played({}))).toEqual([]);
    expect(await failuresOf(resilienceRestart, played({ closes: false }))).toEqual([
      'the open stream ends for the client',
    ]);
  });

  test('gives no new task the id of an old one', async () => {
    expect(await failuresOf(resilienceRestart, played({ countsOn: false }))).toEqual([
      'the new task is another one',
    ]);
  });
});
