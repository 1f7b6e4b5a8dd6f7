function idInParams(params: unknown, member: string): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const value: unknown = (params as Record<string, unknown>)[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The task id that an operation's input names. Config operations name the task in `taskId` (1.0) or `id` (0.x). */
export function taskIdInParams(params: unknown, operation: string): string | undefined {
  switch (operation) {
    case 'GetTask':
    case 'CancelTask':
    case 'SubscribeToTask':
      return idInParams(params, 'id');
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
    case 'ListTaskPushNotificationConfigs':
    case 'DeleteTaskPushNotificationConfig':
      return idInParams(params, 'taskId') ?? idInParams(params, 'id');
    default:
      return undefined;
  }
}

/** The config that the input of a config operation names: `pushNotificationConfigId` (0.x) or `id` (1.0). */
export const configIdInParams = (params: unknown): string | undefined =>
  idInParams(params, 'pushNotificationConfigId') ?? idInParams(params, 'id');
