import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, v1 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import {
  faultless03,
  faultless10,
  gotLegacyTask,
  gotLegacyTaskOverRest,
  gotTask,
} from './traffic-without-fault.ts';

const metadata = { trace: 'a', nested: { any: [1, null] } };

const hasMetadata = ({ value }: TypedObject): boolean =>
  value.metadata !== undefined && value.metadata !== null;

export default defineRule({
  id: 'JSON-020',
  level: 'MUST',
  party: 'sender',
  summary: '`metadata` is a JSON object.',
  spec: { '0.1': '6.1', '0.2': '6.1', '0.3': '6.1', '1.0': '3.2.5' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'hop',
  messages: { form: '`metadata` of the {type} is {found} instead of an object' },
  why: 'Extensions put their values under their own keys; a list or a text leaves them no place, and typed readers refuse it.',
  fix: 'Send an object whose keys are strings, or leave `metadata` out.',
  examples: {
    good: [
      gotTask({ metadata }),
      gotLegacyTask({ metadata }),
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello', { metadata: {} }), metadata },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [faultless10.rpc, faultless03.rpc, faultless10.card],
    bad: [
      { example: gotLegacyTaskOverRest({ metadata: ['a'] }), messages: ['form'] },
      { example: gotTask({ metadata: ['a'] }), messages: ['form'] },
      { example: gotLegacyTask({ metadata: 'a' }), messages: ['form'] },
    ],
  },
  when: (exchange) => someObject(exchange, hasMetadata),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        const { metadata: found } = object.value;
        if (!hasMetadata(object) || isJsonObject(found)) continue;
        report('form', {
          data: { type: object.type, found },
          at: placeIn(document, `${object.pointer}/metadata`),
          expected: 'an object',
          actual: found,
        });
      }
  },
});
