export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./accounts.ts";
export type { ApiKeyScope } from "./api-keys.ts";
export { API_KEY_SCOPES, MAX_API_KEYS_PER_MEMBER, MAX_API_KEYS_PER_WORKSPACE } from "./api-keys.ts";
export type { FeedbackToken } from "./feedback/feedback-token.ts";
export {
  FEEDBACK_TOKEN_SECONDS,
  feedbackRef,
  feedbackSecret,
  isSignedWith,
  MAX_FEEDBACK_AUTHOR_BYTES,
  MAX_FEEDBACK_VALUE,
  MAX_SCORE_NAME_BYTES,
  mintFeedbackToken,
  readFeedbackToken,
} from "./feedback/feedback-token.ts";
export { sha256 } from "./feedback/sha256.ts";
export { finishSteps } from "./finish-steps.ts";
export { agreementWords } from "./insights/agreement-words.ts";
export { BAD_RUN_WORDS } from "./insights/bad-run-words.ts";
export type { LineRelation, PartnerKind } from "./insights/comparison.ts";
export {
  isGoodRun,
  MAX_CONTEXT_KIB,
  MAX_CONTEXT_VALUES,
  MAX_CONTEXTS_MIB,
  PARTNER_KINDS,
} from "./insights/comparison.ts";
export { OTHER_STEPS } from "./insights/decision-map.ts";
export { drawnWords } from "./insights/drawn-words.ts";
export { isTooFewRuns } from "./insights/few-runs.ts";
export {
  chanceSentence,
  FINDING_NOTES,
  findingCaveats,
  findingSentence,
  findingsSummary,
  noFindingsSentence,
  otherLensSentence,
} from "./insights/finding-sentence.ts";
export { findingsAge } from "./insights/findings-age.ts";
export { hash32FromHex, hash32ToHex, signatureFromHex, signatureToHex } from "./insights/hash-id.ts";
export { hash32, hash53 } from "./insights/hash53.ts";
export { MASK_READ_LENGTH, MASKED_MAX_LENGTH, maskText } from "./insights/mask-text.ts";
export { NO_ERROR_TO_EXPLAIN } from "./insights/no-error-to-explain.ts";
export { NO_PARTNER } from "./insights/no-partner.ts";
export { optionKey } from "./insights/option-key.ts";
export type { CountedOutcomes } from "./insights/outcome-notes.ts";
export { outcomeNoteParts, outcomeNotes } from "./insights/outcome-notes.ts";
export { MIN_COMPARED_DECISIONS, MIN_REVIEWED_RUNS } from "./insights/rate.ts";
export { releaseGroup } from "./insights/release-group.ts";
export type { Sentence } from "./insights/sentence.ts";
export { shortCount, shortPercent, shortRatio } from "./insights/short-numbers.ts";
export type { DecisionSignature, SignedInput } from "./insights/sign-decision.ts";
export { signDecision, stepOf } from "./insights/sign-decision.ts";
export { sortedJson } from "./insights/sorted-json.ts";
export { blameSentence, suspectSentence } from "./insights/suspect-sentence.ts";
export { MAX_VERDICT_NOTE_LENGTH } from "./insights/verdicts.ts";
export { INSTALL_CLI, INSTALL_SDK, RUN_CLI } from "./install.ts";
export { explanationSentence, unexplainedSentence, unexplainedWords } from "./issues/issue-explanation.ts";
export { MAX_RELEASED_RUNS } from "./issues/max-released-runs.ts";
export { MAX_USD_PER_MILLION_TOKENS, rulePattern, ruleSource, SENT_PRICE } from "./prices.ts";
export { keptUntil, MAX_RETENTION_DAYS } from "./retention.ts";
export type { RequestParts } from "./route-request.ts";
export { queryString, routeRequest } from "./route-request.ts";
export { MAX_VIEW_NAME_LENGTH } from "./saved-views.ts";
export type { MailDelivery, Registration, Session } from "./schemas/accounts.ts";
export type { AgentSession } from "./schemas/agent-sessions.ts";
export type { ApiKey } from "./schemas/api-keys.ts";
export type { Billing, TierTerms } from "./schemas/billing.ts";
export type { DecisionRow } from "./schemas/decisions.ts";
export type { AgentHealth, AgentHealthList } from "./schemas/insights/agents.ts";
export type { Blame, ContextClue, Dithering, MaskedContext, Suspect } from "./schemas/insights/blame.ts";
export type {
  ComparedContextKey,
  ComparedDecision,
  ComparedLine,
  ComparedRun,
  Comparison,
  DivergenceRates,
  NoPartnerReason,
  Partner,
  PartnerList,
} from "./schemas/insights/comparison.ts";
export type {
  DecisionMap,
  MapEdge,
  MapNode,
  MapTimes,
  PathRelease,
} from "./schemas/insights/decision-map.ts";
export type {
  DriftReport,
  DriftRow,
  DriftSide,
  RuleResult,
  UntestedReason,
} from "./schemas/insights/drift.ts";
export type { FindingItem, Findings, SituationKeyList } from "./schemas/insights/findings.ts";
export type { JudgeAgreement } from "./schemas/insights/judges.ts";
export type { LeftOut } from "./schemas/insights/left-out.ts";
export type { InsightsProgress, InsightsRange, Interval, Rate, Release } from "./schemas/insights/rate.ts";
export type {
  AgentRelease,
  ComparedError,
  ComparedSide,
  ReleaseComparison,
  ReleaseHistory,
  ReleaseMeasure,
} from "./schemas/insights/releases.ts";
export type { DecisionRule } from "./schemas/insights/rules.ts";
export type {
  DecisionRates,
  OptionStat,
  Quantiles,
  ReasonList,
  RowDrift,
  Scorecard,
  ScorecardOption,
  ScoreMeans,
  Stratum,
  WhyList,
  WhyRow,
} from "./schemas/insights/scorecards.ts";
export type {
  Issue,
  IssueDetail,
  IssueGrouping,
  IssueKind,
  IssueList,
  IssueSort,
  IssueState,
  LikelyDecision,
  ListedState,
  TimelineEntry,
} from "./schemas/issues/issues.ts";
export type {
  Condition,
  ConditionValue,
  OutcomeDefinition,
  OutcomeDefinitions,
  OutcomePreview,
  OutcomeReason,
  RunOutcome,
  RunOutcomeName,
} from "./schemas/outcomes.ts";
export type { PageInfo } from "./schemas/page.ts";
export type { PriceRule } from "./schemas/prices.ts";
export type { ChosenRetention, Retention } from "./schemas/retention.ts";
export type { RouteArguments, RouteBody, RouteName, RouteResponse } from "./schemas/routes/routes.ts";
export type { ChangedSavedView, SavedView } from "./schemas/saved-views.ts";
export type { Score, ScoreSeries, ScoreSummary, ScoreValues } from "./schemas/scores.ts";
export type { SearchHit, SearchLine, SearchRecord } from "./schemas/search.ts";
export type { NewShare, Share, SharedSuspect, SharedWhy } from "./schemas/shares.ts";
export type { CliSession } from "./schemas/sign-in/cli.ts";
export type {
  Identity,
  LoginResult,
  Passkey,
  SecondFactorMethod,
  StartedTotp,
} from "./schemas/sign-in/sign-in.ts";
export type {
  ErrorStats,
  ModelCost,
  ModelStat,
  ModelStats,
  TraceMetrics,
  TraceStats,
} from "./schemas/stats.ts";
export type {
  DecisionPoint,
  Json,
  ModelUsage,
  Outline,
  OutlineDecision,
  OutlineEvent,
  OutlineSpan,
  SentTrace,
  SharedOutline,
  SharedTrace,
  Span,
  TraceEvent,
  TracePreview,
  TraceRow,
  WholeTrace,
} from "./schemas/traces.ts";
export type { GivenVerdict, ListedVerdict, Verdict, VerdictCounts } from "./schemas/verdicts.ts";
export type { AuditAction, AuditEvent } from "./schemas/workspaces/audit.ts";
export type { Domain } from "./schemas/workspaces/domains.ts";
export type { CreatedInvitation, Invitation, JoinedWorkspace } from "./schemas/workspaces/invitations.ts";
export type {
  CurrentWorkspace,
  Member,
  Workspace,
  WorkspacePolicy,
} from "./schemas/workspaces/workspaces.ts";
export type { SearchField } from "./search-fields.ts";
export { SEARCH_FIELDS } from "./search-fields.ts";
export { MAX_SHARED_SUSPECTS, MAX_SHARES_PER_WORKSPACE, SHARE_DAYS } from "./shares.ts";
export { absentFields } from "./traces/absent-fields.ts";
export { BatchError } from "./traces/batch-error.ts";
export { batchErrorTexts } from "./traces/batch-error-texts.ts";
export type { DecisionOutcome } from "./traces/decision-outcomes.ts";
export { DECISION_OUTCOMES } from "./traces/decision-outcomes.ts";
export type { DecisionPointType, EventType, SpanType, Status } from "./traces/enums.ts";
export { DECISION_POINT_TYPES, EVENT_TYPES, SPAN_TYPES, STATUSES } from "./traces/enums.ts";
export type { ChildKind, Fields, RecordTable } from "./traces/fields.ts";
export { CHILDREN, DECISION_POINT, EVENT, SPAN, TRACE } from "./traces/fields.ts";
export type { FilterField } from "./traces/filter-values.ts";
export { FILTER_FIELDS, MAX_FILTER_VALUES } from "./traces/filter-values.ts";
export {
  MAX_METADATA_KEY_LENGTH,
  MAX_METADATA_PAIRS,
  MAX_METADATA_VALUE_LENGTH,
} from "./traces/metadata-limits.ts";
export { optionName } from "./traces/option-name.ts";
export { parseBatch, parseSteps } from "./traces/parse-batch.ts";
export {
  isLonger,
  isStorable,
  MAX_ID_BYTES,
  MAX_NAME_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  storable,
} from "./traces/parse-field.ts";
export { parseInstant } from "./traces/parse-instant.ts";
export type {
  Inference,
  ParsedDecisionPoint,
  ParsedEvent,
  ParsedSpan,
  ParsedTrace,
  TraceMasking,
} from "./traces/parsed-trace.ts";
export { RawJson, SOURCE } from "./traces/raw-json.ts";
export type { DecisionSort, TraceSort } from "./traces/sorts.ts";
export { DECISION_SORTS, TRACE_SORTS } from "./traces/sorts.ts";
export { breakCycles, NO_SPAN, SpanTree, type TreeSpan } from "./traces/span-tree.ts";
export type { TraceChange } from "./traces/trace-change.ts";
export type {
  FilterType,
  TraceFilterChip,
  TraceFilterName,
  TraceFilterRow,
  TraceFilterTexts,
} from "./traces/trace-filters.ts";
export { TRACE_FILTERS } from "./traces/trace-filters.ts";
export { MAX_TRACE_RECORDS } from "./traces/trace-limits.ts";
export { type TraceNode, traceNodes } from "./traces/trace-nodes.ts";
export { isUnlimited, UNLIMITED_SESSIONS } from "./unlimited-sessions.ts";
export type { Role } from "./workspaces.ts";
export { includesRole, MAX_DOMAINS, REMOVED_KEYS, RESEND_SECONDS, ROLES, roleRefusal } from "./workspaces.ts";
