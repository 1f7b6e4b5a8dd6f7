import { randomUUID } from 'node:crypto';
import type { Part } from '@a2a-js/sdk';
import { bytesPart, dataPart, textPart, urlPart } from './parts.ts';
import type { TaskScript } from './script.ts';

export interface Turn {
  readonly script: TaskScript;
  /** The first text of the message. */
  readonly text: string;
  /** What follows the prefix in the text, trimmed. */
  readonly argument: string;
  /** All parts of the message. */
  readonly parts: readonly Part[];
  /** The media types that the client asked for, its favourite first; none: it did not say. */
  readonly acceptedOutputModes: readonly string[];
}

export type Act = (turn: Turn) => void | Promise<void>;

export interface Behaviour {
  readonly prefix: string;
  /** `text`: only the message's text selects it; otherwise its messageId does too. */
  readonly matches?: 'text';
  /** `message`: the answer is a Message, so no Task is opened. */
  readonly answers?: 'message';
  readonly run: Act;
  /** A follow-up while the task waits; without it the task is completed. */
  readonly resume?: Act;
}

export const resume: Act = ({ script, text }) => {
  script.working();
  script.completed(`resumed: ${text}`);
};

/** For a message that no prefix claims. */
export const plainEcho: Behaviour = {
  prefix: '',
  run({ script, text }) {
    script.working();
    script.artifact('echo', textPart(`echo: ${text}`));
    script.completed();
  },
};

const completedWith =
  (name: string, part: () => Part): Act =>
  ({ script }) => {
    script.artifact(name, part());
    script.completed();
  };

const streamed =
  (part: () => Part): Act =>
  ({ script }) => {
    script.working();
    script.artifact('stream', part());
    script.completed();
  };

/** Two chunks of one artifact, so that a lost, doubled or crossed one shows in the text. */
function inChunks(script: TaskScript, name: string, first: string, second: string): void {
  const artifact = { artifactId: randomUUID(), name };
  script.chunk(textPart(first), { ...artifact, append: false, lastChunk: false });
  script.chunk(textPart(second), { ...artifact, append: true, lastChunk: true });
}

const chunked: Act = ({ script }) => {
  script.working();
  inChunks(script, 'stream', 'chunk-1 ', 'chunk-2');
  script.completed();
};

const file = () => bytesPart(Buffer.from('tck'), 'output.txt', 'text/plain');

const untilCanceled: Act = async ({ script }) => {
  for (let step = 1; step <= 40; step++) {
    script.working(`progress ${step}`);
    await script.pause(500);
  }
  script.completed('finished without being cancelled');
};

const worksFor =
  (milliseconds: number, text?: string): Act =>
  async ({ script }) => {
    script.working();
    await script.pause(milliseconds);
    script.completed(text);
  };

const slow: Act = async ({ script, argument }) => {
  const { milliseconds, nonce } = /^(?<milliseconds>\d+)\s*(?<nonce>.*)$/s.exec(argument)?.groups ?? {};
  if (milliseconds === undefined || nonce === undefined) {
    script.rejected('plugfest-slow wants: plugfest-slow MS NONCE');
    return;
  }
  const end = Number(milliseconds);
  for (let elapsed = 0, tick = 1; elapsed < end; elapsed += 100, tick++) {
    script.working(`tick ${tick} ${nonce}`);
    await script.pause(Math.min(100, end - elapsed));
  }
  script.artifact('echo', textPart(nonce));
  script.completed(nonce);
};

/** What `plugfest-modes` can answer with, by media type. */
const modes: Readonly<Record<string, (nonce: string) => Part>> = {
  'text/plain': textPart,
  'application/json': (nonce) => dataPart({ nonce }),
};

const table: readonly Behaviour[] = [
  { prefix: 'tck-complete-task', run: ({ script }) => script.completed('Hello from TCK') },
  { prefix: 'tck-delayed-complete', run: worksFor(1000, 'Done after delay') },
  { prefix: 'tck-reject-task', run: ({ script }) => script.rejected('rejected') },
  {
    prefix: 'tck-task-failure',
    run({ script }) {
      script.working();
      script.failed('failed on request');
    },
  },
  {
    prefix: 'tck-message-response',
    answers: 'message',
    run: ({ script }) => script.reply('Direct message response'),
  },
  {
    prefix: 'tck-artifact-text',
    run: completedWith('tck-artifact-text', () => textPart('Generated text content')),
  },
  { prefix: 'tck-artifact-file', run: completedWith('tck-artifact-file', file) },
  {
    prefix: 'tck-artifact-file-url',
    run: completedWith('tck-artifact-file-url', () =>
      urlPart('https://example.com/output.txt', 'output.txt', 'text/plain'),
    ),
  },
  {
    prefix: 'tck-artifact-data',
    run: completedWith('tck-artifact-data', () => dataPart({ key: 'value', count: 42 })),
  },
  { prefix: 'tck-input-required', run: ({ script }) => script.inputRequired('What is your name?') },
  {
    prefix: 'tck-multi-turn',
    run: ({ script }) => script.inputRequired('Say more, or done'),
    resume(turn) {
      if (turn.text.startsWith('done')) return resume(turn);
      turn.script.working();
      turn.script.inputRequired('Say more, or done');
    },
  },
  { prefix: 'tck-auth-required', run: ({ script }) => script.authRequired('Authorization needed') },
  { prefix: 'tck-long-running', run: untilCanceled },
  { prefix: 'tck-cancel', run: untilCanceled },
  { prefix: 'test-resubscribe-message-id', run: worksFor(4000) },
  { prefix: 'tck-stream-001', run: streamed(() => textPart('Stream hello from TCK')) },
  { prefix: 'tck-stream-002', run: ({ script }) => script.completed() },
  { prefix: 'tck-stream-003', run: streamed(() => textPart('Stream task lifecycle')) },
  { prefix: 'tck-stream-ordering-001', run: streamed(() => textPart('Ordered output')) },
  { prefix: 'tck-stream-basic', run: streamed(() => textPart('Stream hello from TCK')) },
  { prefix: 'tck-stream-artifact-text', run: streamed(() => textPart('Streamed text content')) },
  { prefix: 'tck-stream-artifact-file', run: streamed(file) },
  { prefix: 'tck-stream-artifact-chunked', run: chunked },
  { prefix: 'tck-stream-chunked', run: chunked },
  {
    prefix: 'plugfest-echo',
    matches: 'text',
    run({ script, argument }) {
      const symbols = Array.from(argument);
      const middle = Math.ceil(symbols.length / 2);
      script.working();
      inChunks(script, 'echo', symbols.slice(0, middle).join(''), symbols.slice(middle).join(''));
      script.completed(argument);
    },
  },
  { prefix: 'plugfest-slow', matches: 'text', run: slow },
  {
    prefix: 'plugfest-parts',
    matches: 'text',
    run({ script, argument, parts }) {
      const contents = parts.filter((part) => part.kind !== 'text');
      if (contents.length === 0) {
        script.rejected('plugfest-parts wants parts besides the text');
        return;
      }
      script.working();
      script.artifact('parts', ...contents);
      script.completed(argument);
    },
  },
  {
    prefix: 'plugfest-modes',
    matches: 'text',
    run({ script, argument, acceptedOutputModes }) {
      const accepted = acceptedOutputModes.length > 0 ? acceptedOutputModes : ['text/plain'];
      const part = accepted.map((mode) => modes[mode.toLowerCase()]).find((make) => make !== undefined);
      // What an executor throws becomes a failed task, so it cannot answer with the error for it.
      if (!part) {
        script.rejected(`none of ${acceptedOutputModes.join(', ')} can be had`);
        return;
      }
      script.artifact('modes', part(argument));
      script.completed(argument);
    },
  },
  {
    prefix: 'plugfest-ask',
    matches: 'text',
    run: ({ script, argument }) => script.inputRequired(`ask ${argument}`),
    resume({ script, text }) {
      script.working();
      script.artifact('echo', textPart(`resumed: ${text}`));
      script.completed(`resumed: ${text}`);
    },
  },
];

const longestFirst = table.toSorted((a, b) => b.prefix.length - a.prefix.length);

export function choose(messageId: string, text: string): Behaviour | undefined {
  return (
    longestFirst.find(({ matches, prefix }) => matches !== 'text' && messageId.startsWith(prefix)) ??
    longestFirst.find(({ prefix }) => text.startsWith(prefix))
  );
}
