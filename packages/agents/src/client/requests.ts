import {
  Role,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { dataPart, textPart } from '../parts.ts';
import {
  InvalidCall,
  type Members,
  optionalBoolean,
  optionalMembers,
  optionalNumber,
  optionalText,
  optionalTexts,
  text,
} from './members.ts';

export function sendRequest(call: Members): SendMessageRequest {
  const message = optionalMembers(call, 'message');
  if (!message) throw new InvalidCall('the call has no message');
  const taskId = optionalText(message, 'taskId') ?? '';
  const words = optionalText(message, 'text');
  const configuration = optionalMembers(call, 'configuration');
  return {
    tenant: '',
    message: {
      messageId: text(message, 'messageId'),
      contextId: optionalText(message, 'contextId') ?? '',
      taskId,
      role: Role.ROLE_USER,
      parts: [
        ...(words === undefined ? [] : [textPart(words)]),
        ...(message.data === undefined ? [] : [dataPart(message.data)]),
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: optionalTexts(message, 'referenceTaskIds') ?? [],
    },
    configuration: configuration && sendConfiguration(configuration, taskId),
    metadata: undefined,
  };
}

function sendConfiguration(configuration: Members, taskId: string): SendMessageConfiguration {
  const push = optionalMembers(configuration, 'push');
  return {
    acceptedOutputModes: optionalTexts(configuration, 'acceptedOutputModes') ?? [],
    taskPushNotificationConfig: push && pushConfig(push, taskId),
    historyLength: optionalNumber(configuration, 'historyLength'),
    returnImmediately: optionalBoolean(configuration, 'returnImmediately') ?? false,
  };
}

export function pushConfig(push: Members, taskId: string): TaskPushNotificationConfig {
  const authentication = optionalMembers(push, 'authentication');
  return {
    tenant: '',
    id: optionalText(push, 'id') ?? '',
    taskId,
    url: text(push, 'url'),
    token: optionalText(push, 'token') ?? '',
    authentication: authentication && {
      scheme: text(authentication, 'scheme'),
      credentials: optionalText(authentication, 'credentials') ?? '',
    },
  };
}
