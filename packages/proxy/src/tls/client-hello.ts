/** What a client asks for before anything is agreed. */
export interface ClientHello {
  /** Name of the server that it wants (RFC 6066 section 3). */
  readonly serverName: string | undefined;
  /** Protocols that it offers, best first (RFC 7301); empty where it does not say. */
  readonly protocols: readonly string[];
}

/** Longest hello that is read; that of a client with a post-quantum key share takes 2 kB. */
const maxHelloBytes = 64 * 1024;

class Reader {
  private at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  number(size: 1 | 2 | 3): number {
    this.at += size;
    return this.bytes.readUIntBE(this.at - size, size);
  }

  take(size: number): Buffer {
    if (size > this.left) throw new RangeError('cut');
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  /** A vector with its length before it. */
  vector(lengthSize: 1 | 2 | 3): Buffer {
    return this.take(this.number(lengthSize));
  }
}

/** The handshake message in the records at the start of a connection; undefined where more bytes are needed. */
function handshakeOf(seen: Buffer): Buffer | 'no-hello' | undefined {
  const parts: Buffer[] = [];
  let size = 0;
  for (let at = 0; ; ) {
    if (seen.length < at + 5) return undefined;
    // A handshake record (RFC 8446 section 5.1). A hello may be spread over several.
    if (seen[at] !== 0x16) return 'no-hello';
    const length = seen.readUInt16BE(at + 3);
    if (length === 0 || length > 16_384 || size + length > maxHelloBytes) return 'no-hello';
    if (seen.length < at + 5 + length) return undefined;
    parts.push(seen.subarray(at + 5, at + 5 + length));
    size += length;
    at += 5 + length;
    const all = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    if (all.length < 4) continue;
    if (all[0] !== 1) return 'no-hello';
    const wanted = 4 + all.readUIntBE(1, 3);
    if (wanted > maxHelloBytes) return 'no-hello';
    if (all.length >= wanted) return all.subarray(4, wanted);
  }
}

function protocolsOf(extension: Buffer): string[] {
  const list = new Reader(new Reader(extension).vector(2));
  const protocols: string[] = [];
  while (list.left > 0) protocols.push(list.vector(1).toString('latin1'));
  return protocols;
}

function serverNameOf(extension: Buffer): string | undefined {
  const list = new Reader(new Reader(extension).vector(2));
  while (list.left > 0) {
    const type = list.number(1);
    const name = list.vector(2);
    if (type === 0) return name.toString('latin1');
  }
  return undefined;
}

/** Reads a ClientHello (RFC 8446 section 4.1.2). `no-hello` is for TLS to refuse; undefined: more bytes are needed. */
export function readClientHello(seen: Buffer): ClientHello | 'no-hello' | undefined {
  const message = handshakeOf(seen);
  if (message === undefined || message === 'no-hello') return message;
  try {
    const reader = new Reader(message);
    reader.take(34);
    reader.vector(1);
    reader.vector(2);
    reader.vector(1);
    let serverName: string | undefined;
    let protocols: readonly string[] = [];
    const extensions = new Reader(reader.left === 0 ? Buffer.alloc(0) : reader.vector(2));
    while (extensions.left > 0) {
      const type = extensions.number(2);
      const extension = extensions.vector(2);
      if (type === 0) serverName = serverNameOf(extension);
      else if (type === 16) protocols = protocolsOf(extension);
    }
    return { serverName, protocols };
  } catch (error) {
    if (error instanceof RangeError) return 'no-hello';
    throw error;
  }
}
