import { isIP } from 'node:net';

const labSuffixes = ['.localhost', '.local', '.internal', '.test', '.lan', '.home.arpa'];

/**
 * True for a host name that only a lab or a private network has: there plain HTTP is nothing to speak of. Expects
 * the `hostname` of a parsed URL, with brackets around IPv6.
 */
export function isLabHost(hostname: string): boolean {
  const before = judged.get(hostname);
  if (before !== undefined) return before;
  const found = judge(hostname);
  // A capture has few hosts; one with many must not fill the memory.
  if (judged.size >= mostJudged) judged.clear();
  judged.set(hostname, found);
  return found;
}

const judged = new Map<string, boolean>();
const mostJudged = 256;

function judge(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (isIP(name) !== 0) return isPrivateAddress(name);
  return !name.includes('.') || labSuffixes.some((suffix) => name.endsWith(suffix));
}

export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)
  );
}

/** Private, loopback, link-local and unspecified addresses. */
export function isPrivateAddress(hostname: string): boolean {
  const address = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  switch (isIP(address)) {
    case 4: {
      const [a = 0, b = 0] = address.split('.').map(Number);
      return (
        a === 0 ||
        a === 10 ||
        a === 127 ||
        (a === 169 && b === 254) ||
        (a === 172 && b >= 16 && b <= 31) ||
        (a === 192 && b === 168)
      );
    }
    case 6:
      return address === '::' || address === '::1' || /^(?:f[cd]|fe[89ab])/.test(address);
    default:
      return false;
  }
}
