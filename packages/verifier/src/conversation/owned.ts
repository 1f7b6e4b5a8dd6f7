const kept = 8;
const agents: string[] = new Array(kept).fill('');
const ids: (string | undefined)[] = new Array(kept).fill(undefined);
const keys: string[] = new Array(kept).fill('');
let next = 0;

/**
 * Key of something an agent owns. Ids are per server: two agents may hand out the same one. Of one exchange the same few
 * things are asked again and again, and a text that was looked up before is found faster than one that is put together
 * anew: so the last ones are kept.
 */
export function owned(agent: string, id: string): string {
  for (let i = 0; i < kept; i += 1) if (ids[i] === id && agents[i] === agent) return keys[i] as string;
  const key = `${agent}\u0000${id}`;
  agents[next] = agent;
  ids[next] = id;
  keys[next] = key;
  next = (next + 1) % kept;
  return key;
}
