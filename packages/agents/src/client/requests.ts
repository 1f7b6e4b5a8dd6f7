import {
  type Part,
  Role,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { bytesPart, dataPart, textPart, urlPart } from '../parts.ts';
import {
  InvalidCall,
  type Members,
  optionalBoolean,
  optionalList,
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
        ...(optionalList(message, 'parts') ?? []).map(furtherPart),
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: optionalTexts(message, 'referenceTaskIds') ?? [],
    },
    configuration: configuration && sendConfiguration(configuration, taskId),
    metadata: undefined,
  };
}

/** A part with the media type and file name that the call gives it, and no other. */
function furtherPart(part: Members): Part {
  return {
    ...contentOf(part),
    mediaType: optionalText(part, 'mediaType') ?? '',
    filename: optionalText(part, 'filename') ?? '',
  };
}

function contentOf(part: Members): Part {
  if (part.text !== undefined) return textPart(text(part, 'text'));
  if (part.raw !== undefined) return bytesPart(Buffer.from(text(part, 'raw'), 'base64'), '', '');
  if (part.url !== undefined) return urlPart(text(part, 'url'), '', '');
  if (part.data !== undefined) return dataPart(part.data);
  throw new InvalidCall('a part has no text, raw, url or data');
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
