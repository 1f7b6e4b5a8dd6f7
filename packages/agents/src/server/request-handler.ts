import type { Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';

/**
 * The SDK runs a second turn on the same event bus as the first, and the second turn's Task event breaks the
 * first turn's stream. So a message to a task that is still being worked on is refused before it gets there.
 */
export class LabRequestHandler extends DefaultRequestHandler {
  isRunning: (taskId: string) => boolean = () => false;

  override sendMessage(params: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    this.#refuseWhileRunning(params);
    return super.sendMessage(params, context);
  }

  override async *sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    this.#refuseWhileRunning(params);
    yield* super.sendMessageStream(params, context);
  }

  #refuseWhileRunning({ message }: SendMessageRequest): void {
    if (message?.taskId && this.isRunning(message.taskId)) {
      throw new UnsupportedOperationError(
        `Task ${message.taskId} is being worked on and takes no message now`,
      );
    }
  }
}
