import type { DecodedResponse } from '@plugfest/a2a';

/** The server says by its status that the call went well. */
export const isSuccess = (response: DecodedResponse | undefined): response is DecodedResponse =>
  response !== undefined && response.status < 300;
