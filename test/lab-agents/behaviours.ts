import type { DrivePart } from '../../packages/orchestrator/src/driver/drive.ts';

/** What a message makes an agent do: the tables of docs/lab-agents.md, by the start of the text. */
export interface Behaviour {
  readonly prefix: string;
  /** The text sent; the prefix itself where it is not given. */
  readonly text?: string;
  /** Sent after the text. */
  readonly parts?: readonly DrivePart[];
  /** States and artifacts (`"text"`, or kinds of other parts) of a stream after SUBMITTED. */
  readonly stream: readonly string[];
  /** Of the last status message. */
  readonly says?: string;
  /** Only in the text, not in the message id. */
  readonly textOnly?: true;
  /** It works on until it is cancelled; the stream is what it begins with. */
  readonly endless?: true;
  /** Whether it says before that it works is left to it. */
  readonly mayWork?: true;
}

const streamed = (text: string) => ['WORKING', `"${text}"`, 'COMPLETED'];
const chunked = ['WORKING', '"chunk-1 "', '"chunk-2"', 'COMPLETED'];

export const behaviours: readonly Behaviour[] = [
  { prefix: 'tck-complete-task', stream: ['COMPLETED'], says: 'Hello from TCK' },
  { prefix: 'tck-delayed-complete', stream: ['WORKING', 'COMPLETED'], says: 'Done after delay' },
  { prefix: 'tck-artifact-text', stream: ['"Generated text content"', 'COMPLETED'] },
  { prefix: 'tck-artifact-file', stream: ['raw dGNr text/plain output.txt', 'COMPLETED'] },
  {
    prefix: 'tck-artifact-file-url',
    stream: ['url https://example.com/output.txt text/plain output.txt', 'COMPLETED'],
  },
  { prefix: 'tck-artifact-data', stream: ['data {"count":42,"key":"value"}', 'COMPLETED'] },
  { prefix: 'tck-message-response', stream: ['message "Direct message response"'] },
  { prefix: 'tck-input-required', stream: ['INPUT_REQUIRED'], says: 'What is your name?' },
  { prefix: 'tck-multi-turn', stream: ['INPUT_REQUIRED'] },
  { prefix: 'tck-auth-required', stream: ['AUTH_REQUIRED'], says: 'Authorization needed' },
  { prefix: 'tck-reject-task', stream: ['REJECTED'], says: 'rejected' },
  { prefix: 'tck-task-failure', stream: ['WORKING', 'FAILED'], says: 'failed on request' },
  { prefix: 'tck-long-running', stream: ['WORKING'], endless: true },
  { prefix: 'tck-cancel', stream: ['WORKING'], endless: true },
  { prefix: 'test-resubscribe-message-id', stream: ['WORKING'], endless: true },
  { prefix: 'tck-stream-001', stream: streamed('Stream hello from TCK') },
  { prefix: 'tck-stream-002', stream: ['COMPLETED'] },
  { prefix: 'tck-stream-003', stream: streamed('Stream task lifecycle') },
  { prefix: 'tck-stream-ordering-001', stream: streamed('Ordered output') },
  { prefix: 'tck-stream-basic', stream: streamed('Stream hello from TCK') },
  { prefix: 'tck-stream-artifact-text', stream: streamed('Streamed text content') },
  { prefix: 'tck-stream-artifact-file', stream: ['WORKING', 'raw dGNr text/plain output.txt', 'COMPLETED'] },
  { prefix: 'tck-stream-artifact-chunked', stream: chunked },
  { prefix: 'tck-stream-chunked', stream: chunked },
  {
    prefix: 'plugfest-echo',
    text: 'plugfest-echo Ab12-ü🚀',
    stream: ['WORKING', '"Ab12"', '"-ü🚀"', 'COMPLETED'],
    says: 'Ab12-ü🚀',
    textOnly: true,
  },
  {
    prefix: 'plugfest-slow',
    text: 'plugfest-slow 250 n 1',
    stream: ['WORKING', 'WORKING', 'WORKING', '"n 1"', 'COMPLETED'],
    says: 'n 1',
    textOnly: true,
  },
  {
    prefix: 'plugfest-parts',
    text: 'plugfest-parts n2',
    parts: [{ data: { kept: ['as', 'it', 'is'] } }],
    stream: ['WORKING', 'data {"kept":["as","it","is"]}', 'COMPLETED'],
    says: 'n2',
    textOnly: true,
  },
  {
    prefix: 'plugfest-modes',
    text: 'plugfest-modes n3',
    stream: ['"n3"', 'COMPLETED'],
    textOnly: true,
    mayWork: true,
  },
  {
    prefix: 'plugfest-ask',
    text: 'plugfest-ask n4',
    stream: ['INPUT_REQUIRED'],
    says: 'ask n4',
    textOnly: true,
  },
  {
    prefix: '',
    text: 'good morning',
    stream: ['WORKING', '"echo: good morning"', 'COMPLETED'],
    textOnly: true,
  },
];
