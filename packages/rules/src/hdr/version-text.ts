import type { DecodedExchange } from '@plugfest/a2a';

/** `A2A-Version` without the space around it; empty where the request has none. */
export const versionText = ({ request }: DecodedExchange): string => (request.a2aVersion ?? '').trim();
