import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LabAuthority, openLabAuthority } from '@plugfest/proxy';

/** The certificate authority of one run, whose taps speak TLS. Its key is gone when the run is over. */
export interface LabTls extends Disposable {
  readonly authority: LabAuthority | undefined;
  /** For Plugfest's own client (PEM), and as a file for the agents; undefined where taps speak clear text. */
  readonly trust: { readonly ca: string; readonly file: string } | undefined;
}

export function openLabTls(wanted: boolean): LabTls {
  if (!wanted) return { authority: undefined, trust: undefined, [Symbol.dispose]: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-ca-'));
  const authority = openLabAuthority(folder);
  const file = join(folder, 'trusted.pem');
  writeFileSync(file, authority.certificate, { mode: 0o600 });
  return {
    authority,
    trust: { ca: authority.certificate, file },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
