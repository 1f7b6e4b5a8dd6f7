import { importNdjson } from '@plugfest/capture';
import { memoryCapture } from '@plugfest/capture/memory';
import { runId } from '@plugfest/model';
import { loadRulebook } from '@plugfest/rules';
import { verify } from '@plugfest/verifier';
import { expect, it } from 'vitest';
import { readCases } from './cases.ts';

const book = await loadRulebook();

it('an import knows who is a gateway by the word of its lines, also where one hop only was seen', async () => {
  const found = readCases('cases.jsonl').find(({ id }) => id === 'jsonrpc-http-code-as-rpc-code');
  const sink = memoryCapture(runId('gateways'));
  const lines = found?.exchange.map((line) => JSON.stringify(line)) ?? [];
  await importNdjson(lines, sink, { file: 'cases.jsonl' });
  const source = sink.source();
  expect(source.participants()).toContainEqual({ name: 'gateway', kind: 'gateway' });
  const fails = verify(source, book).findings.filter(({ outcome }) => outcome === 'fail');
  expect(fails.map(({ rule, party, agent }) => [rule, party, agent])).toEqual([
    ['RPC-032', 'gateway', 'gateway'],
  ]);
});
