import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseBaseline } from './expectations.ts';
import { baselineFindings, expectedFindings, loadLab } from './load.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugfest-lab-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a lab file is read up to the size that it may have', async () => {
  const file = join(folder, 'large.yaml');
  const lab = 'name: x\nagents: { a: { command: [a] } }\n#';
  await writeFile(file, lab + 'x'.repeat(1024 * 1024 - lab.length));
  expect(await loadLab(file, {})).toMatchObject({ name: 'x' });
  await writeFile(file, lab + 'x'.repeat(1024 * 1024 - lab.length + 1));
  const tooLarge = {
    code: 'PLUGFEST_LAB_INVALID',
    message: `${file}: larger than the 1048576 bytes that a lab file or a baseline may have`,
  };
  await expect(loadLab(file, {})).rejects.toMatchObject(tooLarge);
  await expect(expectedFindings(file)).rejects.toMatchObject(tooLarge);
});

test.runIf(process.platform === 'linux')('a file without end is no lab file', async () => {
  await expect(loadLab('/dev/zero', {})).rejects.toMatchObject({ code: 'PLUGFEST_LAB_NOT_FOUND' });
});

test('a folder is no lab file, and nothing is none', async () => {
  const code = 'PLUGFEST_LAB_NOT_FOUND';
  await expect(loadLab(folder, {})).rejects.toMatchObject({ code, message: `${folder}: is a folder` });
  const missing = join(folder, 'missing.yaml');
  await expect(loadLab(missing, {})).rejects.toMatchObject({
    code,
    message: `${missing}: there is no such file`,
  });
});

test('a glob over rules that is too long is refused', () => {
  const text = `findings: [{ rule: "${'{a,b}'.repeat(101)}", reason: known }]`;
  expect(() => parseBaseline(text, 'baseline.yaml')).toThrow(/longer than a rule id/);
});

test.skipIf(process.platform === 'win32')(
  'a pipe is no lab file and no baseline, and nobody waits for it',
  async () => {
    const file = join(folder, 'pipe.yaml');
    execFileSync('mkfifo', [file]);
    const refused = {
      code: 'PLUGFEST_LAB_NOT_FOUND',
      message: `${file}: is a pipe, socket or device, and no regular file`,
    };
    await expect(loadLab(file, {})).rejects.toMatchObject(refused);
    await expect(baselineFindings(file)).rejects.toMatchObject(refused);
  },
);

test.each(['[', '- ', '{a: ', '? '])(
  'a baseline of a hundred thousand %j is refused where it stands',
  (piece) => {
    const parse = () => parseBaseline(`findings:\n  ${piece.repeat(100_000)}`, 'baseline.yaml');
    expect(parse).toThrow(/baseline\.yaml:2:\d+: (?:Nested too deeply|Flow)/);
  },
);
