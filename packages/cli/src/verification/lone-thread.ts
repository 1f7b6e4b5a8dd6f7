// A thread that applies the rules which look at their subject only.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openCaptureSource } from '@plugfest/capture';
import { loadRules } from '@plugfest/rules';
import { LoneVerification, NoConversation } from '@plugfest/verifier';
import type { LoneAnswer, LoneCapture, LoneTask } from './lone-messages.ts';

async function judge({ file, hashing }: LoneCapture, { rules, harness }: LoneTask): Promise<LoneAnswer> {
  const wanted = new Set(rules);
  const verification = new LoneVerification(await loadRules((id) => wanted.has(id)), { harness });
  const source = openCaptureSource(file, { hashing });
  let exchanges = 0;
  let lastSeq = -1;
  let root: string | undefined;
  try {
    for (const captured of source.exchanges()) {
      verification.add(captured);
      exchanges += 1;
      lastSeq = captured.seq;
    }
    if (hashing) root = source.info.root;
  } catch (problem) {
    if (problem instanceof NoConversation) return { kind: 'not-alone' };
    throw problem;
  } finally {
    source.close();
  }
  return { kind: 'judged', judgement: verification.judgement(), exchanges, lastSeq, root };
}

if (parentPort !== null) {
  const [task] = await once(parentPort, 'message');
  parentPort.postMessage(await judge(workerData as LoneCapture, task as LoneTask));
}
