import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PlugfestError } from '@plugfest/model';
import { KeyLog, type LabAuthority, openLabAuthority } from '@plugfest/proxy';
import type { Io } from './io.ts';
import { stateFolder } from './state-folder.ts';

export interface TlsOptions {
  readonly tls?: true;
  readonly upstreamCa?: string;
  readonly tlsKeylog?: string;
  readonly stateDir?: string;
}

/** What of TLS an interposer is given, and what has to be closed after it. */
export interface TapTls extends AsyncDisposable {
  readonly interposer: {
    readonly tls?: LabAuthority;
    readonly upstreamCa?: string;
    readonly keyLog?: (line: Buffer) => void;
  };
}

function readCertificates(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new PlugfestError('PLUGFEST_USAGE', `--upstream-ca: ${file} cannot be read`, {
      hint: 'Give a file of certificates in PEM.',
      cause,
    });
  }
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  try {
    if (certificates.length === 0) throw new Error('there is none');
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch (cause) {
    throw new PlugfestError('PLUGFEST_USAGE', `--upstream-ca: ${file} holds no certificate in PEM`, {
      hint: 'A certificate begins with -----BEGIN CERTIFICATE-----.',
      cause,
    });
  }
  return `${certificates.join('\n')}\n`;
}

/** Opens what the options of TLS name. */
export function openTapTls(io: Io, options: TlsOptions): TapTls {
  const upstreamCa =
    options.upstreamCa === undefined ? undefined : readCertificates(resolve(io.cwd, options.upstreamCa));
  const tls = options.tls ? openLabAuthority(stateFolder(io, options.stateDir)) : undefined;
  const { tlsKeylog } = options;
  const keyLog =
    tlsKeylog === undefined
      ? undefined
      : KeyLog.open(resolve(io.cwd, tlsKeylog), ({ message }) =>
          io.log(`plugfest: the TLS key log ${tlsKeylog} is not complete: ${message}`),
        );
  if (keyLog !== undefined)
    io.log(
      `plugfest: --tls-keylog: whoever has ${tlsKeylog} can read what is captured. Keep it to yourself.`,
    );
  return {
    interposer: {
      ...(tls === undefined ? {} : { tls }),
      ...(upstreamCa === undefined ? {} : { upstreamCa }),
      ...(keyLog === undefined ? {} : { keyLog: keyLog.write }),
    },
    async [Symbol.asyncDispose]() {
      await keyLog?.[Symbol.asyncDispose]();
    },
  };
}
