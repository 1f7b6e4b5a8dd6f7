import { openLabAuthority } from '@plugfest/proxy';
import { Command } from 'commander';
import type { Io } from '../io.ts';
import { stateFolder, stateOption } from '../state-folder.ts';

/** `plugfest ca`: the certificate that clients of taps over TLS have to trust. */
export default (io: Io): Command =>
  new Command('ca')
    .description('print the certificate of the lab CA, for agents to trust; makes the CA on first use')
    .option(...stateOption)
    .addHelpText(
      'after',
      [
        '\nIts key stays in the state folder, readable by you alone: whoever has it can pretend to be any server to those',
        'who trust the certificate. So let agents under test trust it, not your system.',
        '\nExamples:',
        '  plugfest ca > lab-ca.crt',
        '  NODE_EXTRA_CA_CERTS=lab-ca.crt node agent.js       # Node.js',
        '  SSL_CERT_FILE=lab-ca.crt python agent.py           # Python (httpx), Go',
        '  GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=lab-ca.crt …      # gRPC',
      ].join('\n'),
    )
    .action((options: { readonly stateDir?: string }) => {
      io.out(openLabAuthority(stateFolder(io, options.stateDir)).certificate);
    });
