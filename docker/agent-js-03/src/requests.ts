import type { MessageSendConfiguration, MessageSendParams, Part, PushNotificationConfig } from '@a2a-js/sdk';
import {
  InvalidCall,
  isMembers,
  type Members,
  optionalBoolean,
  optionalList,
  optionalMembers,
  optionalNumber,
  optionalText,
  optionalTexts,
  text,
} from './members.ts';
import { bytesPart, dataPart, textPart, urlPart } from './parts.ts';

/** A drive call speaks the words of 1.0; this is where they become those of 0.3. */
export function sendParams(call: Members): MessageSendParams {
  const message = optionalMembers(call, 'message');
  if (!message) throw new InvalidCall('the call has no message');
  const words = optionalText(message, 'text');
  return {
    message: {
      kind: 'message',
      messageId: text(message, 'messageId'),
      role: 'user',
      parts: [
        ...(words === undefined ? [] : [textPart(words)]),
        ...(message.data === undefined ? [] : [dataOf(message)]),
        ...(optionalList(message, 'parts') ?? []).map(furtherPart),
      ],
      ...defined({
        taskId: optionalText(message, 'taskId'),
        contextId: optionalText(message, 'contextId'),
        referenceTaskIds: optionalTexts(message, 'referenceTaskIds'),
      }),
    },
    configuration: sendConfiguration(optionalMembers(call, 'configuration') ?? {}),
  };
}

function furtherPart(part: Members): Part {
  const mediaType = optionalText(part, 'mediaType');
  const filename = optionalText(part, 'filename');
  if (part.text !== undefined) return textPart(text(part, 'text'));
  if (part.raw !== undefined) return bytesPart(Buffer.from(text(part, 'raw'), 'base64'), filename, mediaType);
  if (part.url !== undefined) return urlPart(text(part, 'url'), filename, mediaType);
  if (part.data !== undefined) return dataOf(part);
  throw new InvalidCall('a part has no text, raw, url or data');
}

/** The data of a 0.3 part is an object. */
function dataOf({ data }: Members): Part {
  if (!isMembers(data)) throw new InvalidCall('data is not an object, which it is in 0.3');
  return dataPart(data);
}

function sendConfiguration(configuration: Members): MessageSendConfiguration {
  const push = optionalMembers(configuration, 'push');
  return {
    blocking: !(optionalBoolean(configuration, 'returnImmediately') ?? false),
    ...defined({
      acceptedOutputModes: optionalTexts(configuration, 'acceptedOutputModes'),
      historyLength: optionalNumber(configuration, 'historyLength'),
      pushNotificationConfig: push && pushConfig(push),
    }),
  };
}

export function pushConfig(push: Members): PushNotificationConfig {
  const authentication = optionalMembers(push, 'authentication');
  return {
    url: text(push, 'url'),
    ...defined({
      id: optionalText(push, 'id'),
      token: optionalText(push, 'token'),
      authentication: authentication && {
        schemes: [text(authentication, 'scheme')],
        ...defined({ credentials: optionalText(authentication, 'credentials') }),
      },
    }),
  };
}

/** Without the members that have no value. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
