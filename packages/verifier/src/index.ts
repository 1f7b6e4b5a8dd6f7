export type { CachingFields, ServedCard, StoredCard } from './conversation/card-fetches.ts';
export {
  ageS,
  askedVariant,
  freshForS,
  isConditional,
  isTimed,
  receivedCaching,
  sentCaching,
  servedCard,
} from './conversation/card-fetches.ts';
export { filtersOf } from './conversation/list-walks.ts';
export { isMissingOperation, isMixedCall } from './conversation/operations.ts';
export { taskIdOf } from './conversation/payload-task.ts';
export type { SignedSighting } from './conversation/signed-cards.ts';
export { payloadDigest } from './conversation/signed-cards.ts';
export { requestTenant } from './conversation/tenants.ts';
export { Conversation } from './conversation.ts';
export { digestParts } from './digest.ts';
export type { Divergence, Step } from './drift/exchanges.ts';
export { Outline } from './drift/exchanges.ts';
export type { FindingGroup, StatusChange, VerdictDifferences } from './drift/verdicts.ts';
export { compareVerdicts, isSame } from './drift/verdicts.ts';
export { knownEventTimes } from './event-times.ts';
export type { ScenarioOf } from './expectations.ts';
export { applyExpectations, isExpectedBy } from './expectations.ts';
export type { Judgement } from './judge.ts';
export { NoConversation } from './judge.ts';
export type { Rulebook } from './registry.ts';
export { rulebook, selectRules } from './registry.ts';
export type {
  BadExample,
  CheckContext,
  Report,
  Rule,
  RuleContext,
  RuleDefinition,
  RuleParty,
  Scope,
  Subjects,
} from './rule.ts';
export { bindingsIn, defineRule } from './rule.ts';
export { type RuleSplit, splitRules } from './rule-split.ts';
export { streamOf } from './stream-of.ts';
export type {
  ArtifactDigest,
  CardSighting,
  CardSubject,
  Channel,
  ClientAction,
  ContextHistory,
  Delivery,
  Discovery,
  ExchangeIdentity,
  ExchangeRef,
  HandedOn,
  ListPage,
  PartDigest,
  PushConfigRecord,
  RefusedFetch,
  Sighting,
  SpokenExchange,
  StreamSubject,
  TaskHistory,
  TaskObservation,
  TaskStream,
  WebhookSubject,
} from './subjects.ts';
export { factsOf, verdictOf, verify } from './verdict.ts';
export type { Results, VerifyOptions } from './verification.ts';
export { LoneVerification, Verification } from './verification.ts';
