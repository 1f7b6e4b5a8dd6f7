import type { Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import { createLegacyAwarePushNotificationSender } from '@a2a-js/sdk/compat/v0_3/server';
import { ExtensionSupportRequiredError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import {
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type ServerCallContext,
} from '@a2a-js/sdk/server';
import type { BehaviourTable } from '../behaviours/table.ts';
import type { AgentOptions } from '../options.ts';
import type { Addresses } from './address.ts';
import { agentCard, extendedCard } from './card.ts';
import { LabExecutor } from './executor.ts';

/** The SDK's handler of the operations, which all bindings share, so that a task is the same in each. */
export function createRequestHandler(
  options: AgentOptions,
  addresses: Addresses,
  behaviours: BehaviourTable,
): LabRequestHandler {
  return new LabRequestHandler(
    agentCard(options, addresses),
    new LabExecutor(behaviours, options.principals),
    options,
  );
}

/**
 * The SDK runs a second turn on the same event bus as the first, and the second turn's Task event breaks the
 * first turn's stream. So a message to a task that is still being worked on is refused before it gets there.
 */
export class LabRequestHandler extends DefaultRequestHandler {
  readonly #tasks: InMemoryTaskStore;
  readonly #executor: LabExecutor;
  readonly #extensions: Pick<AgentOptions, 'requireExtension' | 'offerExtension'>;

  constructor(
    card: ReturnType<typeof agentCard>,
    executor: LabExecutor,
    extensions: Pick<AgentOptions, 'requireExtension' | 'offerExtension'>,
  ) {
    const tasks = new InMemoryTaskStore();
    const pushConfigs = new InMemoryPushNotificationStore();
    super(
      card,
      tasks,
      executor,
      undefined,
      pushConfigs,
      createLegacyAwarePushNotificationSender(pushConfigs),
      card.capabilities?.extendedAgentCard
        ? async ({ user }) => extendedCard(card, user?.userName ?? '')
        : undefined,
    );
    this.#tasks = tasks;
    this.#executor = executor;
    this.#extensions = extensions;
  }

  override async sendMessage(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): Promise<Message | Task> {
    this.#activateExtensions(context);
    await this.#refuseWhileRunning(params, context);
    return super.sendMessage(params, context);
  }

  override async *sendMessageStream(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    this.#activateExtensions(context);
    await this.#refuseWhileRunning(params, context);
    yield* super.sendMessageStream(params, context);
  }

  /** The SDK tells which extensions were asked for, and leaves it to the application what that means. */
  #activateExtensions(context: ServerCallContext): void {
    const { requireExtension, offerExtension } = this.#extensions;
    const asked = context.requestedExtensions ?? [];
    if (requireExtension !== undefined && !asked.includes(requireExtension))
      throw new ExtensionSupportRequiredError(`This agent requires the extension ${requireExtension}`);
    for (const uri of [requireExtension, offerExtension])
      if (uri !== undefined && asked.includes(uri)) context.addActivatedExtension(uri);
  }

  /** Only whoever may see the task learns that it is being worked on. */
  async #refuseWhileRunning({ message }: SendMessageRequest, context: ServerCallContext): Promise<void> {
    if (!message?.taskId || !this.#executor.isRunning(message.taskId)) return;
    if ((await this.#tasks.load(message.taskId, context)) === undefined) return;
    throw new UnsupportedOperationError(`Task ${message.taskId} is being worked on and takes no message now`);
  }
}
