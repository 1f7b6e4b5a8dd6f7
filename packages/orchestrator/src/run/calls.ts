import type { CallOptions, DriveCall, DriveConfiguration, DriveMessage, Driver } from '../driver/drive.ts';
import type { Calls, Outgoing } from '../scenario/context.ts';

/** The calls of a scenario, as a driver makes them. */
export function callsOf(
  driver: Pick<Driver, 'call'>,
  messageId: () => string,
  signal: AbortSignal,
  options: CallOptions = {},
): Calls {
  const message = (outgoing: Outgoing): DriveMessage => ({ messageId: messageId(), ...outgoing });
  const settings = (configuration: DriveConfiguration | undefined) =>
    configuration ? { configuration } : {};
  const call = (made: DriveCall) => driver.call(made, signal, options);
  return {
    call,
    send: (outgoing, configuration) =>
      call({ op: 'SendMessage', message: message(outgoing), ...settings(configuration) }),
    stream: (outgoing, configuration, stopAfterEvents) =>
      call({
        op: 'SendStreamingMessage',
        message: message(outgoing),
        ...settings(configuration),
        ...(stopAfterEvents === undefined ? {} : { stopAfterEvents }),
      }),
  };
}
