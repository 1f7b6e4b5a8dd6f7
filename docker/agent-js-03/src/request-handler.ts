import { AsyncLocalStorage } from 'node:async_hooks';
import type { MessageSendParams } from '@a2a-js/sdk';
import { DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';

type Stream = ReturnType<DefaultRequestHandler['sendMessageStream']>;

/** The SDK tells an executor the message, but not how it was sent. */
const sent = new AsyncLocalStorage<MessageSendParams>();

/** What the client that sent the present message takes, its favourite first; none: it did not say. */
export function acceptedOutputModes(): readonly string[] {
  return sent.getStore()?.configuration?.acceptedOutputModes ?? [];
}

/** Remembers, for the executor, what the SDK does not hand on. */
export class LabRequestHandler extends DefaultRequestHandler {
  override sendMessage(params: MessageSendParams, context?: ServerCallContext) {
    return sent.run(params, () => super.sendMessage(params, context));
  }

  override async *sendMessageStream(params: MessageSendParams, context?: ServerCallContext): Stream {
    const events = super.sendMessageStream(params, context);
    try {
      while (true) {
        const { done, value } = await sent.run(params, () => events.next());
        if (done) return;
        yield value;
      }
    } finally {
      await events.return();
    }
  }
}
