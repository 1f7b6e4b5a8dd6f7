import { TLSSocket } from 'node:tls';
import type { TapContext } from '../tap-context.ts';
import { type OpenUpstream, whenReady } from '../upstream/opening.ts';

/** Told of the protocol to agree on, and how connections to the callee are to be opened from now on. */
type Agreed = (protocol: string | undefined, open: OpenUpstream) => void;

type Agree = (offered: readonly string[], context: TapContext, open: OpenUpstream, done: Agreed) => void;

const spoken = (offered: readonly string[]): string[] =>
  offered.filter((protocol) => protocol === 'h2' || protocol === 'http/1.1');

/**
 * Without a word from the callee: HTTP/1.1 where the client can, since nothing is translated and more callees speak
 * that; HTTP/2 where the client can do nothing else, as gRPC's.
 */
export const agreeOnOne: Agree = (offered, _context, open, done) => {
  const protocols = spoken(offered);
  done(protocols.includes('http/1.1') ? 'http/1.1' : protocols[0], open);
};

/**
 * What the callee would have agreed on without a proxy: it is asked, over TLS, with what the client offers, and the
 * connection on which it was asked becomes the one that the client's is paired with.
 */
export const agreeWithCallee: Agree = (offered, context, open, done) => {
  const protocols = spoken(offered);
  if (context.target.protocol === 'http:' || protocols.length === 0) {
    agreeOnOne(offered, context, open, done);
    return;
  }
  whenReady(open(protocols), context.connectTimeoutMs, (error, socket) => {
    // Requests will say what is wrong; for now the client has to be answered.
    if (error !== null || !(socket instanceof TLSSocket)) {
      agreeOnOne(offered, context, open, done);
      return;
    }
    const chosen = socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
    let ready: TLSSocket | undefined = socket;
    socket.on('error', () => undefined);
    const forget = (): void => {
      ready = undefined;
    };
    socket.once('close', forget);
    // A callee that closes a connection on which nothing was asked yet.
    socket.once('end', forget);
    done(protocols.includes(chosen) ? chosen : protocols[0], (wanted) => {
      const prepared = ready;
      if (prepared === undefined || prepared.destroyed) return open(wanted);
      ready = undefined;
      socket.off('close', forget);
      socket.off('end', forget);
      return prepared;
    });
  });
};
