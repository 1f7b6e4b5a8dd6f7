export type { InterfaceWish, ParsedCard } from './card/select.ts';
export { cardUrls, legacyCardPath, parseCard, selectInterface, wellKnownCardPath } from './card/select.ts';
export type { DecodeContext } from './decode.ts';
export { decodeExchange } from './decode.ts';
export type {
  ArtifactUpdateView,
  ArtifactView,
  BodyState,
  CardInterface,
  CardView,
  DecodedExchange,
  DecodedRequest,
  DecodedResponse,
  ErrorView,
  ExchangeKind,
  GrpcStatus,
  JsonBody,
  MessageView,
  PartView,
  Payload,
  PayloadLocation,
  PushConfigView,
  RpcEnvelope,
  StatusUpdateView,
  StatusView,
  StreamEvent,
  TaskView,
  UnknownField,
} from './decoded.ts';
export type { PeerContext } from './dialect.ts';
export type { EncodedGrpcCall } from './encode/grpc.ts';
export { encodeGrpcCall, grpcHeaders } from './encode/grpc.ts';
export type { EncodedRequest, RequestSpec } from './encode/spec.ts';
export { canEncode, encodeRequest } from './encode.ts';
export type { A2AError } from './errors.ts';
export {
  a2aError,
  a2aErrorByReason,
  a2aErrors,
  errorCodesByVersion,
  errorDomain,
  errorInfoType,
  errorNameOf,
  jsonRpcErrors,
} from './errors.ts';
export { grpcCard } from './grpc/card-message.ts';
export { encodeGrpcMessage } from './grpc/encode.ts';
export { FrameReader as GrpcFrameReader, type GrpcFrame } from './grpc/framing.ts';
export { isOfOtherPackage } from './grpc/unknown.ts';
export type { UrlChild, UrlFields, UrlMessage } from './grpc/url-fields.ts';
export { grpcUrlFields } from './grpc/url-fields.ts';
export type { GrpcAnswer, GrpcCallResult } from './grpc-result.ts';
export { readGrpcEnd, readGrpcEvent, readGrpcResult } from './grpc-result.ts';
export { limits } from './limits.ts';
export type { JsonRpcMethod, OperationNames, RestRoute } from './operations.ts';
export {
  grpcMethod,
  grpcServices,
  isStreaming,
  jsonRpcMethod,
  operationNames,
  operations,
  wireMethodOf,
} from './operations.ts';
export { pointerToken } from './pointer.ts';
export type { CallResult, DeliveryResult, StreamResult } from './result.ts';
export { readDelivery, readResult, readStreamEvent } from './result.ts';
export { isMac, keyFits, wrongSize } from './signature/algorithms.ts';
export { fromBase64url } from './signature/base64url.ts';
export { canonicalJson } from './signature/canonical-json.ts';
export type { CardSignature, ProtectedFault } from './signature/card-signature.ts';
export { cardSignatures } from './signature/card-signature.ts';
export type { CardDefaults, FormDifference } from './signature/differences.ts';
export { cardDefaults } from './signature/differences.ts';
export type { CardForm } from './signature/forms.ts';
export { canonicalCard, cardForms } from './signature/forms.ts';
export type { Jwk } from './signature/jwk.ts';
export { KeyFileError, readJwkSet, readKeys } from './signature/jwk.ts';
export type { CheckedSignature, KeyCandidate, SignatureStatus } from './signature/verify-card.ts';
export { checkCard } from './signature/verify-card.ts';
export type { SseEvent } from './sse.ts';
export { SseParser } from './sse.ts';
export type { Role, Transition } from './states.ts';
export {
  canonicalRole,
  canonicalState,
  interruptedStates,
  isInterrupted,
  isTerminal,
  legacyRole,
  legacyState,
  taskStates,
  terminalStates,
  transition,
} from './states.ts';
export { summarise } from './summary.ts';
export { percentDecode } from './target.ts';
export { withoutTrailingSlashes } from './trailing-slashes.ts';
export { versionOf } from './version.ts';
export type { CardHints } from './views/card.ts';
export { bindingOf, cardView } from './views/card.ts';
