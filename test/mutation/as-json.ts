/** As JSON has it: without members that are undefined. */
export const asJson = (found: unknown): unknown => JSON.parse(JSON.stringify(found));
