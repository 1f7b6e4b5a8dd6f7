import type { ProtocolVersion } from '@plugfest/model';

/** An error that A2A 1.0 defines, on every binding (section 5.4). */
export interface A2AError {
  readonly name: string;
  /** JSON-RPC error code. */
  readonly code: number;
  /** HTTP status as of 1.0.1. */
  readonly httpStatus: number;
  /** HTTP status that the 1.0.0 text gave, where it differs. Clients cannot announce a patch version: tolerate both. */
  readonly httpStatusEra100?: number;
  readonly grpcStatus: string;
  readonly grpcStatusEra100?: string;
  /** `reason` of google.rpc.ErrorInfo (sections 10.6, 11.6). */
  readonly reason: string;
}

/** `domain` of google.rpc.ErrorInfo in A2A errors (A2A 1.0 section 11.6). */
export const errorDomain = 'a2a-protocol.org';

/** `@type` of google.rpc.ErrorInfo. */
export const errorInfoType = 'type.googleapis.com/google.rpc.ErrorInfo';

/** A2A 1.0 section 5.4. */
export const a2aErrors: readonly A2AError[] = [
  {
    name: 'TaskNotFoundError',
    code: -32001,
    httpStatus: 404,
    grpcStatus: 'NOT_FOUND',
    reason: 'TASK_NOT_FOUND',
  },
  {
    name: 'TaskNotCancelableError',
    code: -32002,
    httpStatus: 400,
    httpStatusEra100: 409,
    grpcStatus: 'FAILED_PRECONDITION',
    reason: 'TASK_NOT_CANCELABLE',
  },
  {
    name: 'PushNotificationNotSupportedError',
    code: -32003,
    httpStatus: 400,
    grpcStatus: 'FAILED_PRECONDITION',
    grpcStatusEra100: 'UNIMPLEMENTED',
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  },
  {
    name: 'UnsupportedOperationError',
    code: -32004,
    httpStatus: 400,
    grpcStatus: 'FAILED_PRECONDITION',
    grpcStatusEra100: 'UNIMPLEMENTED',
    reason: 'UNSUPPORTED_OPERATION',
  },
  {
    name: 'ContentTypeNotSupportedError',
    code: -32005,
    httpStatus: 400,
    httpStatusEra100: 415,
    grpcStatus: 'INVALID_ARGUMENT',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
  },
  {
    name: 'InvalidAgentResponseError',
    code: -32006,
    httpStatus: 500,
    httpStatusEra100: 502,
    grpcStatus: 'INTERNAL',
    reason: 'INVALID_AGENT_RESPONSE',
  },
  {
    name: 'ExtendedAgentCardNotConfiguredError',
    code: -32007,
    httpStatus: 400,
    grpcStatus: 'FAILED_PRECONDITION',
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  },
  {
    name: 'ExtensionSupportRequiredError',
    code: -32008,
    httpStatus: 400,
    grpcStatus: 'FAILED_PRECONDITION',
    reason: 'EXTENSION_SUPPORT_REQUIRED',
  },
  {
    name: 'VersionNotSupportedError',
    code: -32009,
    httpStatus: 400,
    grpcStatus: 'FAILED_PRECONDITION',
    grpcStatusEra100: 'UNIMPLEMENTED',
    reason: 'VERSION_NOT_SUPPORTED',
  },
];

/** JSON-RPC 2.0 section 5.1, under the names that A2A gives them. */
export const jsonRpcErrors: Readonly<Record<number, string>> = {
  [-32700]: 'JSONParseError',
  [-32600]: 'InvalidRequestError',
  [-32601]: 'MethodNotFoundError',
  [-32602]: 'InvalidParamsError',
  [-32603]: 'InternalError',
};

/**
 * JSON-RPC codes of A2A's own errors per version, by 1.0 names where 1.0 has one. The 0.1 prose gave -32006 to
 * -32011 other meanings than any later version (0.1 section 8.2).
 */
export const errorCodesByVersion: Readonly<Record<ProtocolVersion, Readonly<Record<number, string>>>> =
  (() => {
    const upTo = (last: number): Record<number, string> =>
      Object.fromEntries(a2aErrors.filter(({ code }) => code >= last).map(({ code, name }) => [code, name]));
    return {
      '1.0': upTo(-32009),
      '0.3': upTo(-32007),
      '0.2': upTo(-32006),
      '0.1': {
        ...upTo(-32005),
        [-32006]: 'StreamingNotSupportedError',
        [-32007]: 'AuthenticationRequiredError',
        [-32008]: 'AuthorizationFailedError',
        [-32009]: 'InvalidTaskStateError',
        [-32010]: 'RateLimitExceededError',
        [-32011]: 'ResourceUnavailableError',
      },
    };
  })();

const byName = new Map(a2aErrors.map((error) => [error.name, error]));
const byReason = new Map(a2aErrors.map((error) => [error.reason, error]));

/** The error of that 1.0 name. */
export function a2aError(name: string | undefined): A2AError | undefined {
  return name === undefined ? undefined : byName.get(name);
}

/** The error that has this `reason` in its ErrorInfo. */
export function a2aErrorByReason(reason: string | undefined): A2AError | undefined {
  return reason === undefined ? undefined : byReason.get(reason);
}

/**
 * Name of the error that a JSON-RPC code stands for in a version. Codes that 0.2 and 0.3 leave free have their 1.0
 * meaning there, because a newer server refuses an older client with them; 0.1 leaves none of them free. Undefined
 * where no version names it.
 */
export function errorNameOf(version: ProtocolVersion, code: number): string | undefined {
  return errorCodesByVersion[version][code] ?? jsonRpcErrors[code] ?? errorCodesByVersion['1.0'][code];
}
