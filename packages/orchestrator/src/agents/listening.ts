import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 50;

/** Waits until somebody takes connections at an address. False where nobody does within the time. */
export async function listeningAt({ hostname, port, protocol }: URL, withinMs: number): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  for (const end = performance.now() + withinMs; performance.now() < end; await delay(pauseMs))
    if (await takes(host, number)) return true;
  return false;
}

function takes(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
