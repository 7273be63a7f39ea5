export type { MailDelivery, Registration, Session, SignIn, User } from "./accounts.ts";
export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./accounts.ts";
export type { ApiKey, ApiKeyScope, CreatedApiKey } from "./api-keys.ts";
export { API_KEY_SCOPES, MAX_API_KEYS_PER_USER } from "./api-keys.ts";
export { agentHash } from "./insights/agent-hash.ts";
export { alignSteps } from "./insights/align-steps.ts";
export type {
  Blame,
  ContextClue,
  Dithering,
  Suspect,
  Suspicion,
} from "./insights/blame.ts";
export { DITHERINGS, MAX_SUSPECTS, SUSPICIONS } from "./insights/blame.ts";
export { buildDecisionFacts } from "./insights/build-decision-facts.ts";
export { compareContexts, countContextKeys } from "./insights/compare-contexts.ts";
export type { DecisionLine } from "./insights/compare-decisions.ts";
export { compareDecisions } from "./insights/compare-decisions.ts";
export type {
  ComparedContextKey,
  ComparedDecision,
  ComparedLine,
  ComparedRun,
  Comparison,
  ContextKeyCounts,
  DivergenceRates,
  LineRelation,
  NoPartnerReason,
  Partner,
  PartnerKind,
  PartnerList,
} from "./insights/comparison.ts";
export { isGoodRun, LINE_RELATIONS, NO_PARTNER_REASONS, PARTNER_KINDS } from "./insights/comparison.ts";
export type { DecidedPoint, DecidedSpan, DecidedTrace } from "./insights/decided-trace.ts";
export type { DecisionFact, DecisionFacts } from "./insights/decision-facts.ts";
export {
  FACTS_DECISION_BYTES,
  FACTS_FINGERPRINT_BYTES,
  FACTS_HEADER_BYTES,
  FACTS_VERSION,
  MAX_FACTS_DECISIONS,
  MAX_PATH_STEPS,
} from "./insights/decision-facts.ts";
export type { LinedDecision } from "./insights/decision-line.ts";
export { decisionLine } from "./insights/decision-line.ts";
export type {
  DecisionMap,
  MapEdge,
  MapNode,
  MapPath,
  MapTimes,
  PathRelease,
} from "./insights/decision-map.ts";
export { OTHER_STEPS } from "./insights/decision-map.ts";
export {
  decodeDecisionFacts,
  decodeDecisionPath,
  decodeFactsSteps,
} from "./insights/decode-decision-facts.ts";
export { type DitheringInput, findDithering } from "./insights/dithering.ts";
export type { DecisionRule, DriftReport, DriftRow, DriftSide, RuleResult } from "./insights/drift.ts";
export { MAX_DECISION_RULES_PER_USER, MAX_RULE_NOTE_LENGTH, RULE_KINDS } from "./insights/drift.ts";
export { encodeDecisionFacts, encodeDecisionPath } from "./insights/encode-decision-facts.ts";
export { errorFingerprint } from "./insights/error-fingerprint.ts";
export { isFailedOutcome, isRecoveredOutcome } from "./insights/failed-outcome.ts";
export { finishSteps } from "./insights/finish-steps.ts";
export { MAX_CONTEXT_VALUES } from "./insights/flatten-context.ts";
export { hash32FromHex, hash32ToHex, signatureFromHex, signatureToHex } from "./insights/hash-id.ts";
export { hash32, hash53 } from "./insights/hash53.ts";
export { MASK_READ_LENGTH, MASKED_MAX_LENGTH, maskText } from "./insights/mask-text.ts";
export { optionKey } from "./insights/option-key.ts";
export type { Followed, Outcome } from "./insights/outcome.ts";
export { followedBy, OPEN_OUTCOME, OUTCOMES } from "./insights/outcome.ts";
export type {
  HashId,
  InsightsProgress,
  InsightsRange,
  Interval,
  Rate,
  Release,
} from "./insights/rate.ts";
export { MIN_COMPARED_DECISIONS } from "./insights/rate.ts";
export { releaseOf } from "./insights/release.ts";
export type {
  AgentList,
  AgentSummary,
  OptionComparison,
  OptionStat,
  Quantiles,
  ReasonList,
  RowDrift,
  Scorecard,
  ScorecardOption,
  Stratum,
  WhyGroup,
  WhyList,
  WhyRow,
} from "./insights/scorecards.ts";
export { WHY_GROUPS } from "./insights/scorecards.ts";
export type { DecisionSignature, SignedInput } from "./insights/sign-decision.ts";
export { signDecision } from "./insights/sign-decision.ts";
export { NO_SPAN, SpanTree } from "./insights/span-tree.ts";
export type {
  GivenVerdict,
  ListedVerdict,
  Verdict,
  VerdictCount,
  VerdictCounts,
  VerdictKind,
  VerdictList,
} from "./insights/verdicts.ts";
export {
  MAX_VERDICT_NOTE_LENGTH,
  MAX_VERDICT_OPTION_LENGTH,
  MAX_VERDICTS_PER_USER,
  VERDICTS,
} from "./insights/verdicts.ts";
export { walkDecisions } from "./insights/walk-decisions.ts";
export { INSTALL_SDK, RUN_CLI } from "./install.ts";
export type { PriceRule } from "./prices.ts";
export {
  MAX_PRICE_RULES_PER_USER,
  MAX_USD_PER_MILLION_TOKENS,
  rulePattern,
  ruleSource,
  SENT_PRICE,
} from "./prices.ts";
export type { Retention } from "./retention.ts";
export { keptUntil, MAX_RETENTION_DAYS } from "./retention.ts";
export type { SavedView } from "./saved-views.ts";
export { MAX_SAVED_VIEWS_PER_USER, MAX_VIEW_NAME_LENGTH, MAX_VIEW_QUERY_LENGTH } from "./saved-views.ts";
export type {
  SearchEnd,
  SearchField,
  SearchHit,
  SearchLine,
  SearchProgress,
  SearchRecord,
} from "./search.ts";
export { SEARCH_FIELDS, SEARCH_RECORDS } from "./search.ts";
export type { CreatedShare, Share, SharedLink } from "./shares.ts";
export { MAX_SHARES_PER_USER, SHARE_DAYS } from "./shares.ts";
export type { ChoiceStat, ErrorStat, ModelStat, StatsRange, TraceMetrics, TraceStats } from "./stats.ts";
export type { Billing, Tier, TierTerms } from "./tiers.ts";
export { isUnlimited, TIERS, UNLIMITED_SESSIONS } from "./tiers.ts";
export { absentFields } from "./traces/absent-fields.ts";
export { BatchError } from "./traces/batch-error.ts";
export { batchErrorTexts } from "./traces/batch-error-texts.ts";
export type { DecisionPointType, EventType, SpanType, Status } from "./traces/enums.ts";
export { DECISION_POINT_TYPES, EVENT_TYPES, SPAN_TYPES, STATUSES } from "./traces/enums.ts";
export type { ChildKind, Fields, FieldType, RecordTable } from "./traces/fields.ts";
export {
  CHILDREN,
  DECISION_POINT,
  DECISION_POINT_DESCRIPTIONS,
  EVENT,
  EVENT_DESCRIPTIONS,
  SPAN,
  SPAN_DESCRIPTIONS,
  TRACE,
  TRACE_DESCRIPTIONS,
} from "./traces/fields.ts";
export type { ModelCost, ModelUsage } from "./traces/model-usage.ts";
export { optionName } from "./traces/option-name.ts";
export { parseBatch, parseSteps } from "./traces/parse-batch.ts";
export {
  isStorable,
  isStorableId,
  MAX_ID_BYTES,
  MAX_NAME_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  storableText,
} from "./traces/parse-field.ts";
export { parseInstant } from "./traces/parse-instant.ts";
export type {
  Inference,
  ParsedDecisionPoint,
  ParsedEvent,
  ParsedSpan,
  ParsedTrace,
} from "./traces/parsed-trace.ts";
export { RawJson, SOURCE } from "./traces/raw-json.ts";
export type {
  AgentSession,
  DecisionPoint,
  DecisionRow,
  DecisionSort,
  Json,
  Outline,
  OutlineDecision,
  OutlineEvent,
  OutlineSpan,
  PageInfo,
  SentTrace,
  Span,
  TraceEvent,
  TraceRow,
  TraceSort,
  WholeTrace,
} from "./traces/stored-trace.ts";
export { DECISION_SORTS, TRACE_SORTS } from "./traces/stored-trace.ts";
export type { TraceChange, TraceChangeKind } from "./traces/trace-change.ts";
export { TRACE_CHANGE_KINDS } from "./traces/trace-change.ts";
export { MAX_TRACE_BYTES, MAX_TRACE_RECORDS } from "./traces/trace-limits.ts";
export { type TraceNode, traceNodes } from "./traces/trace-nodes.ts";
