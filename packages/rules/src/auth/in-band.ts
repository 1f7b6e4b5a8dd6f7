import type { DecodedExchange, MessageView } from '@plugfest/a2a';
import { header } from '@plugfest/model';

/** An extension is in use, by which client and agent may have agreed to exchange credentials in messages (section 7.6.3). */
export function mayBeInBand({ captured }: DecodedExchange, { value }: MessageView): boolean {
  const { headers } = captured.request;
  return (
    Boolean(header(headers, 'a2a-extensions')?.trim() || header(headers, 'x-a2a-extensions')?.trim()) ||
    (Array.isArray(value.extensions) && value.extensions.length > 0)
  );
}
