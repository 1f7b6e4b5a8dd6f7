import { constants } from 'node:http2';

/** RFC 9113 section 7. */
const names = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
] as const;

/** `CANCEL (8)`; of an unknown code the number alone. */
export function errorCodeText(code: number): string {
  const name = names[code];
  return name === undefined ? String(code) : `${name} (${code})`;
}

export const errorCodes = {
  none: constants.NGHTTP2_NO_ERROR,
  internal: constants.NGHTTP2_INTERNAL_ERROR,
  cancel: constants.NGHTTP2_CANCEL,
} as const;
