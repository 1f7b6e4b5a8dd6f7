/** What is sent as a reason phrase. Others are legal (obs-text, RFC 9112 section 4) but not decoded as they came. */
const sendable = /^[\t\x20-\x7e]*$/;

/** A reason phrase as it goes to the client: none where it cannot be sent, since clients ignore it (RFC 9112 section 4). */
export function sentReason(reason: string): string {
  return sendable.test(reason) ? reason : '';
}
