import type { ExchangeSummary } from '@plugfest/model';

/** Sends make or continue tasks; all other operations ask about them. */
export const isSend = (summary: ExchangeSummary): boolean =>
  summary.kind === 'operation' &&
  (summary.operation === 'SendMessage' || summary.operation === 'SendStreamingMessage');
