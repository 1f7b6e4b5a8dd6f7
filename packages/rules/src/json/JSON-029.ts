import type { Json } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { v03 } from '@plugfest/verifier/examples';
import { documentsOf, placeIn, someObject, type TypedObject } from './documents.ts';
import { faultless03, faultless10, gotLegacyTask } from './traffic-without-fault.ts';

const isData = ({ type, value }: TypedObject): boolean =>
  type === 'Part' && value.kind === 'data' && value.data !== undefined && value.data !== null;

const withData = (data: Json) =>
  gotLegacyTask({ artifacts: [v03.artifact('x', { parts: [{ kind: 'data', data }] })] });

export default defineRule({
  id: 'JSON-029',
  level: 'MUST',
  party: 'sender',
  summary: 'The content of a data part is a JSON object.',
  spec: { '0.2': '6.5.3', '0.3': '6.5.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { form: '`data` is {found} instead of an object' },
  why: 'Before 1.0 the type is an object: SDKs refuse a list or a plain value and with it the whole message.',
  fix: 'Wrap the value into an object, for example `{"items": […]}`.',
  examples: {
    good: [withData({ items: [1, 2] })],
    skip: [faultless03.rpc, faultless10.rpc],
    bad: [{ example: withData([1, 2]), messages: ['form'] }],
  },
  when: (exchange) => someObject(exchange, isData),
  check: (exchange, { report }) => {
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        const { data } = object.value;
        if (!isData(object) || isJsonObject(data)) continue;
        report('form', {
          data: { found: data },
          at: placeIn(document, `${object.pointer}/data`),
          expected: 'an object',
          actual: data,
        });
      }
  },
});
