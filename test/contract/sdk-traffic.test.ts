import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capturedFromNdjson } from '@plugfest/capture';
import type { Finding } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { judge } from './judging.ts';

const folder = join(import.meta.dirname, '../fixtures/sdk');

/**
 * What is found in real traffic between an SDK's client and an agent on the same SDK, official ones and two others, by rule and party, and why that
 * is right. `docs/sdk-findings.md` says more. A finding that is not listed fails, and so does one that no longer occurs.
 */
type Findings = Readonly<Record<string, string>>;

/** Of the recorded agents, not of their SDKs: they know no authentication, and show the extended card to anybody. */
const openCard = (section: string): Findings => ({
  'XCARD-003 server': `the extended card needs authentication (${section})`,
});
const uncachedCard: Findings = {
  'CACHE-001 server': 'the card comes without Cache-Control (1.0 section 8.6.1)',
  'CACHE-002 server': 'the card comes without ETag (1.0 section 8.6.1)',
};
const wholeHistory: Findings = {
  'TASK-005 server': 'a historyLength of 0 brings the whole history (1.0 section 3.2.4, 0.3 section 7.3.1)',
};
const emptyEnvelope: Findings = {
  'RPC-010 server': 'a deletion is answered with neither result nor error (JSON-RPC 2.0 section 5)',
};
const updateFirst03: Findings = {
  'SSE-032 server':
    'the stream of a follow-up begins with an update instead of the Task (comment on StreamResponse in the 0.3 proto)',
};
/** `a2a-go` 2.3.1 on 1.0, whatever the binding. */
const go10: Findings = {
  'SEND-005 server':
    'the SDK leaves `contextId` out of a Message, and the agent did not set it (1.0 proto, Message)',
  'SSE-005 server': 'the stream of a follow-up begins with an update instead of the Task (1.0 section 3.1.2)',
  'SUB-002 server': 'a subscription to a finished task is refused with TaskNotFoundError (1.0 section 3.1.6)',
  'SEND-011 server': 'a message to a finished task is refused as invalid params (1.0 section 3.1.1)',
  ...wholeHistory,
  ...openCard('1.0 section 13.3'),
};
const nullTasks: Findings = {
  'LIST-003 server': 'an empty page has `"tasks":null` (1.0 section 3.1.4)',
  'JSON-019 server': 'an empty page has `"tasks":null` (1.0 section 5.7)',
};
const goToken: Findings = {
  'HOOK-007 webhook-sender': 'the token comes in A2A-Notification-Token; 1.0 names no header (section 4.3.1)',
};
const unknownReason: Findings = {
  'ERR-013 server':
    'INTERNAL_ERROR is no reason of 1.0 section 5.4, and comes under its domain (sections 10.6, 11.6)',
};

const expected: Readonly<Record<string, Findings>> = {
  'a2a-go-0.3.15-grpc': {
    ...updateFirst03,
    'GRPC-004 client': 'field 8 of Message is not in the proto of 0.3.0 (3.2.2)',
    'GRPC-004 server': 'field 8 of Message is not in the proto of 0.3.0 (3.2.2)',
    'GRPC-002 client': 'the proto of 0.3.0 has no ListTasks (3.2.2; the table of 3.5.6 has ListTask)',
    ...openCard('0.3 section 7.10'),
  },
  'a2a-go-0.3.15-jsonrpc': {
    'RPC-008 server': 'results are labelled text/plain (0.3 section 3.2.1)',
    'RPC-032 server': 'the error code -31401 lies outside of the range for servers (0.3 section 8)',
    ...wholeHistory,
    ...emptyEnvelope,
    ...openCard('0.3 section 7.10'),
  },
  'a2a-go-2.3.1-grpc': {
    ...go10,
    ...unknownReason,
    'LIST-008 server':
      'the client writes a page_size of 0 for none, and the agent serves it (1.0 section 3.1.4)',
  },
  'a2a-go-2.3.1-jsonrpc': {
    ...go10,
    ...uncachedCard,
    ...nullTasks,
    ...goToken,
    ...emptyEnvelope,
  },
  'a2a-go-2.3.1-rest': {
    ...go10,
    ...uncachedCard,
    ...nullTasks,
    ...goToken,
    ...unknownReason,
    'CANC-008 client': 'the body of a cancel is `null` (1.0 section 11.3.2)',
    'CACHE-009 server': 'the extended card comes without Cache-Control (1.0 section 13.3)',
  },
  'a2a-go-2.3.1-jsonrpc-0.3': {
    ...uncachedCard,
    ...wholeHistory,
    ...emptyEnvelope,
    'RPC-008 server': 'errors are labelled text/plain (0.3 section 3.2.1)',
    'HOOK-006 webhook-sender': 'the token comes in A2A-Notification-Token, without X- (0.3 section 9.5)',
    ...openCard('0.3 section 7.10'),
  },
  'a2a-go-2.3.1-rest-0.3': {
    ...uncachedCard,
    'REST-010 client': 'the paths of 0.3 begin with /v1 (0.3 section 3.5.3)',
    'REST-012 server': 'errors are labelled application/problem+json (0.3 section 3.2.3)',
    'XCARD-014 client': 'the extended card of 0.3 is at /v1/card (0.3 section 3.5.6)',
    'CARD-030 server': 'the extended card has its members in snake_case (0.3 section 5.5)',
    'CARD-031 server': 'the extended card has its members in snake_case (0.3 section 5.6.1)',
    ...openCard('0.3 section 7.10'),
  },
  'a2a-js-0.3.14-grpc': { ...updateFirst03, ...openCard('0.3 section 7.10') },
  'a2a-js-0.3.14-jsonrpc': { ...wholeHistory, ...openCard('0.3 section 7.10') },
  'a2a-js-0.3.14-rest': {
    'REST-029 server': 'errors are JSON-RPC error objects on their own (0.3 section 3.2.3)',
    ...openCard('0.3 section 7.10'),
  },
  'a2a-python-0.3.24-grpc': {
    ...updateFirst03,
    'SUB-009 server':
      'a subscription to a finished task is refused with INVALID_ARGUMENT (0.3 proto, TaskSubscription)',
  },
  'a2a-python-0.3.24-jsonrpc': { ...wholeHistory, ...openCard('0.3 section 7.10') },
  'a2a-python-0.3.24-rest': openCard('0.3 section 7.10'),
  // Methods of 0.3 with the objects of 1.0, under a card that declares 1.0: by the calls it is 0.3.
  'fasta2a-2.1.1-jsonrpc': {
    ...uncachedCard,
    ...wholeHistory,
    'CARD-029 server': 'the card lists 1.0 only, and the agent serves calls of 0.3 (1.0 section 4.4.6)',
    'GUIDE-007 client': 'the card lists 1.0 only, and the client calls in 0.3',
    'JSON-004 server': 'timestamps have no time zone (0.3 section 6.2)',
    'JSON-026 client': 'messages have no `kind` (0.3 section 6.4)',
    'JSON-026 server': 'tasks, messages and updates have no `kind` (0.3 sections 6.1, 6.4, 7.2)',
    'JSON-027 client': 'parts have no `kind` (0.3 section 6.5)',
    'JSON-027 server': 'parts have no `kind` (0.3 section 6.5)',
    'RPC-004 client': 'tasks/get has the id null (0.3 section 6.11.1)',
    'RPC-021 server': 'the result wraps the task in a member `task` (0.3 section 7.1)',
    'SEND-028 server': 'a blocking send is answered while the task is submitted (0.3 section 7.1.1)',
    'SSE-030 server': 'status updates have no `final` (0.3 section 7.2.2)',
    'SSE-031 server': 'the stream ends without a final status update (0.3 section 9.3)',
  },
  'python-a2a-0.5.10-jsonrpc': {
    'CANC-002 server': 'a completed task is cancelled (0.1 section 7.4)',
    'RPC-001 client': 'the method is added to the URL (0.1 and 0.3 section 6.11.1)',
    'RPC-015 server': 'a message without parts is answered with a result (0.1 section 8.1)',
  },
};

/** Where the name does not say it. */
const spoken: Readonly<Record<string, readonly string[]>> = {
  'python-a2a-0.5.10-jsonrpc': ['0.1 JSONRPC'],
};

const keyOf = ({ rule, party }: Finding): string => `${rule} ${party}`;

describe.each(Object.entries(expected))('the traffic of %s', (name, explained) => {
  const text = readFileSync(join(folder, `${name}.ndjson`), 'utf8');
  const { findings, rules, dialects } = judge(
    capturedFromNdjson(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ),
  );

  it('breaks what is explained, and nothing else', () => {
    const found = new Set(findings.filter(({ outcome }) => outcome !== 'info').map(keyOf));
    expect([...found].sort()).toEqual(Object.keys(explained).sort());
  });

  it('is of the dialect in its name, and throws no rule off', () => {
    const binding = /grpc/.test(name) ? 'GRPC' : /rest/.test(name) ? 'HTTP+JSON' : 'JSONRPC';
    const version = /^a2a-go-2\.3\.1-(grpc|jsonrpc|rest)$/.test(name) ? '1.0' : '0.3';
    expect([...dialects].sort()).toEqual(spoken[name] ?? [`${version} ${binding}`]);
    expect([...rules.values()].filter(({ error }) => error !== undefined)).toEqual([]);
  });
});

it('judges every capture of the folder', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ndjson'));
  expect(files.map((file) => file.replace(/\.ndjson$/, '')).sort()).toEqual(Object.keys(expected).sort());
});
