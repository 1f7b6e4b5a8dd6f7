/** Key of something an agent owns. Ids are per server: two agents may hand out the same one. */
export const owned = (agent: string, id: string): string => `${agent}\u0000${id}`;
