import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { onceForEach } from '../last-exchange.ts';
import { documentsOf, type ProtocolDocument, placeIn, type TypedObject, whetherFound } from './documents.ts';
import { memberOwner } from './place-owners.ts';
import { type Schema, schema01, schema03, schema10 } from './schema.ts';
import {
  faultless03,
  faultless10,
  gotLegacyTask,
  gotLegacyTaskOverRest,
  gotTask,
} from './traffic-without-fault.ts';

const isIdName = (name: string): boolean => name === 'id' || name.endsWith('Id');

/**
 * Names of the identifiers that a version requires, by type. Others may be empty in 1.0, where that is the same as
 * absent; and those of cards are the subject of the CARD rules.
 */
const idsIn = (schema: Schema): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...schema]
      .filter(([type]) => !type.startsWith('Agent'))
      .map(([type, fields]) => [
        type,
        [...fields].flatMap(([name, field]) => (field.required && isIdName(name) ? [name] : [])),
      ]),
  );
const ids03 = idsIn(schema03);
const idNames = { '0.1': idsIn(schema01), '0.2': ids03, '0.3': ids03, '1.0': idsIn(schema10) } as const;
const none: readonly string[] = [];

/** A required id that is set. */
interface RequiredId {
  readonly document: ProtocolDocument;
  readonly object: TypedObject;
  readonly name: string;
  readonly value: Json;
}

const requiredIds = onceForEach((exchange): readonly RequiredId[] => {
  const names = idNames[exchange.dialect?.version ?? '1.0'];
  const found: RequiredId[] = [];
  for (const document of documentsOf(exchange).all)
    for (const object of document.objects)
      for (const name of names.get(object.type) ?? none) {
        const value = object.value[name];
        if (value !== undefined && value !== null) found.push({ document, object, name, value });
      }
  return found;
});

const gotOldest = (id: Json) => [
  rpc({
    version: '0.3',
    method: 'tasks/get',
    params: { id: 'task-1' },
    result: { id, sessionId: 's-1', status: { state: 'working', timestamp: '2026-01-01T00:00:02Z' } },
  }),
];

export default defineRule({
  id: 'JSON-024',
  level: 'MUST',
  party: 'sender',
  summary: 'Required identifiers are strings that are not empty.',
  spec: { '0.1': '6.1', '0.2': '6.1', '0.3': '6.1', '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: {
    empty: '`{member}` of the {type} is empty',
    form: '`{member}` of the {type} is {found} instead of a string',
  },
  why: 'An empty id is the same as none: events cannot be joined to their task, and follow-up calls have nothing to name.',
  fix: 'Set the identifier that the agent gave to the task, context, message or artifact.',
  examples: {
    good: [faultless10.rpc, faultless10.rest, faultless10.stream, faultless10.webhook, faultless03.rpc],
    skip: [faultless10.card],
    bad: [
      { example: gotLegacyTask({ history: [v03.message('hello', { messageId: 7 })] }), messages: ['form'] },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            headers: { 'A2A-Version': '0.2' },
            result: v03.task('completed', { history: [v03.message('hello', { messageId: 7 })] }),
          }),
        ],
        messages: ['form'],
      },
      {
        example: gotLegacyTaskOverRest({ history: [v03.message('hello', { messageId: 7 })] }),
        messages: ['form'],
      },
      { example: gotOldest(''), messages: ['empty'] },
      { example: gotOldest(7), messages: ['form'] },
      { example: gotTask({ history: [v1.message('hello', { messageId: '' })] }), messages: ['empty'] },
      { example: gotLegacyTask({ history: [v03.message('hello', { messageId: '' })] }), messages: ['empty'] },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [v03.task('working'), v03.statusUpdate('completed', { taskId: '' })],
          }),
        ],
        messages: ['empty'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            response: v1.task('WORKING', { history: [v1.message('hello', { messageId: 7 })] }),
          }),
        ],
        messages: ['form'],
      },
    ],
  },
  when: (exchange) => whetherFound(exchange, requiredIds(exchange).length > 0),
  check: (exchange, { report }) => {
    for (const { document, object, name, value } of requiredIds(exchange)) {
      if (typeof value === 'string' && value !== '') continue;
      // To the rules of some places such an id is none.
      if (memberOwner(exchange, document, object, name) !== undefined) continue;
      report(value === '' ? 'empty' : 'form', {
        data: { member: name, type: object.type, found: value },
        at: placeIn(document, `${object.pointer}/${name}`),
        expected: 'a string that is not empty',
        actual: value,
      });
    }
  },
});
