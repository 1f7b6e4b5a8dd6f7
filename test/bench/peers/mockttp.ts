// mockttp as a forwarder, keeping nothing: https://github.com/httptoolkit/mockttp
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mockttp } from '../../../tools/reference-tools.ts';
import { serveBench } from './proxy-peer.ts';

/** What is used of it; it is installed where it is measured, and no dependency. */
interface Mockttp {
  getLocal(options: { readonly recordTraffic: boolean }): {
    start(): Promise<void>;
    readonly port: number;
    forAnyRequest(): { thenForwardTo(origin: string): Promise<unknown> };
  };
}

const upstreamPort = Number(process.argv[2]);
const { main } = JSON.parse(readFileSync(join(await mockttp(), 'package.json'), 'utf8'));
const module = await import(pathToFileURL(join(await mockttp(), String(main))).href);
const { getLocal } = (module.default ?? module) as Mockttp;
const server = getLocal({ recordTraffic: false });
await server.start();
await server.forAnyRequest().thenForwardTo(`http://127.0.0.1:${upstreamPort}`);
serveBench(server.port);
