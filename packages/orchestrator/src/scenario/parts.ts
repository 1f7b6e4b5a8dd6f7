import type { Dialect, DriveContent, DrivePart, DriveResult } from '../driver/drive.ts';
import type { ScenarioContext } from './context.ts';
import { checkState, clip, requireTask } from './expect.ts';
import { sameJson } from './same-json.ts';

/** Sends parts to be sent back (`plugfest-parts`), and looks whether they come as they were. */
export async function checkPartsReturn(
  context: ScenarioContext,
  what: string,
  parts: readonly DrivePart[],
): Promise<void> {
  const nonce = context.nonce();
  const result = await context.send({ text: `plugfest-parts ${nonce}`, parts });
  checkPartsReturned(context, what, { nonce, parts, result });
}

/** As `checkPartsReturn`, of parts that were sent already. */
export function checkPartsReturned(
  context: ScenarioContext,
  what: string,
  {
    nonce,
    parts,
    result,
  }: { readonly nonce: string; readonly parts: readonly DrivePart[]; readonly result: DriveResult },
): void {
  const task = requireTask(context, what, result);
  checkState(context, `the task of ${what}`, task.state, 'TASK_STATE_COMPLETED');
  context.check(`the task of ${what} says its nonce`, task.text === nonce, clip(task.text) || 'no text');
  const [artifact, ...others] = task.artifacts;
  context.require(
    `${what} brings one artifact`,
    artifact !== undefined && others.length === 0,
    `it brings ${task.artifacts.length}`,
  );
  // A client may tell the text of artifacts only; what else is in them is in the capture.
  if (!artifact.contents) return;
  context.require(
    `${what} brings as many parts as were sent`,
    artifact.contents.length === parts.length,
    `${artifact.contents.length} of ${parts.length}`,
  );
  for (const [index, sent] of parts.entries())
    checkPart(context, `${what}, part ${index + 1}:`, sent, artifact.contents[index]);
}

function checkPart(
  context: ScenarioContext,
  what: string,
  sent: DrivePart,
  came: DriveContent | undefined,
): void {
  const kind = kindOf(sent);
  context.check(`${what} it is ${kind} as it was`, came?.kind === kind, came?.kind ?? 'there is none');
  for (const member of ['mediaType', 'filename'] as const) {
    const wanted = sent[member];
    if (wanted === undefined || !carries(context.dialect, kind, member)) continue;
    context.check(
      `${what} the ${member} comes back`,
      came?.[member] === wanted,
      clip(came?.[member] ?? 'none'),
    );
  }
  const content = contentOf(sent);
  if (kind !== 'raw') {
    context.check(
      `${what} the content comes back`,
      sameJson(came?.content, content),
      clip(JSON.stringify(came?.content) ?? 'none'),
    );
    return;
  }
  const [before, after] = [bytesOf(content), bytesOf(came?.content)];
  context.check(
    `${what} the ${before.length} bytes come back`,
    before.equals(after),
    before.length === after.length ? 'as many, but others' : `${after.length} bytes`,
  );
}

/** In 0.3 only files have a media type (0.3 section 6.5), and names of files are in its JSON-RPC, not in its proto. */
export function carries(
  { binding, version }: Dialect,
  kind: DriveContent['kind'],
  member: 'mediaType' | 'filename',
): boolean {
  if (version === '1.0') return true;
  const isFile = kind === 'raw' || kind === 'url';
  return isFile && (member === 'mediaType' || binding === 'JSONRPC');
}

/** SDKs write base64 with either alphabet, padded or not. */
function bytesOf(content: unknown): Buffer {
  return Buffer.from(typeof content === 'string' ? content : '', 'base64');
}

function kindOf(part: DrivePart): DriveContent['kind'] {
  if ('text' in part) return 'text';
  if ('raw' in part) return 'raw';
  return 'url' in part ? 'url' : 'data';
}

function contentOf(part: DrivePart): unknown {
  if ('text' in part) return part.text;
  if ('raw' in part) return part.raw;
  return 'url' in part ? part.url : part.data;
}
