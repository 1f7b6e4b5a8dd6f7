// Generates the TypeScript of the wire's protobuf messages: packages/a2a/proto to packages/a2a/src/grpc/generated.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const template = {
  version: 'v2',
  clean: true,
  plugins: [
    {
      local: 'protoc-gen-es',
      out: 'packages/a2a/src/grpc/generated',
      // Sources run as they are, types stripped: enums and namespaces would not survive that.
      opt: ['target=ts', 'import_extension=ts', 'erasable_syntax=true'],
    },
  ],
};
const buf = join('node_modules', '.bin', process.platform === 'win32' ? 'buf.cmd' : 'buf');
const args = ['generate', 'packages/a2a/proto', '--template', JSON.stringify(template)];
const { status } = spawnSync(buf, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}` },
});
process.exit(status ?? 3);
