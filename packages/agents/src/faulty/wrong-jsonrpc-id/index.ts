import type { Fault } from '../../fault.ts';
import { isRecord, rewritingAnswers } from '../../rewriting.ts';

export default {
  name: 'wrong-jsonrpc-id',
  summary: 'JSON-RPC responses carry another id than the request.',
  rules: ['RPC-009'],
  apply(app) {
    app.use(rewritingAnswers(({ body }) => [withOtherId(body)]));
  },
} satisfies Fault;

function withOtherId(body: unknown): unknown {
  if (!isRecord(body) || !('jsonrpc' in body)) return body;
  const id = body.id;
  return { ...body, id: typeof id === 'number' ? id + 1 : `${String(id)}-other` };
}
