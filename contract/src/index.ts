export type { Session, SignIn, User } from "./accounts.ts";
export { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "./accounts.ts";
export type { ApiKey, CreatedApiKey } from "./api-keys.ts";
export { API_KEYS_PER_USER } from "./api-keys.ts";
export { INSTALL_SDK } from "./install.ts";
export type { ChoiceStat, ErrorStat, StatsRange, TraceFigures, TraceStats } from "./stats.ts";
export type { Billing, Tier, TierTerms } from "./tiers.ts";
export { TIERS } from "./tiers.ts";
export { optionName } from "./traces/option-name.ts";
export {
  BatchError,
  ID_MAX_BYTES,
  NAME_MAX_BYTES,
  parseBatch,
  parseSteps,
  TAG_MAX_BYTES,
  TAGS_MAX,
} from "./traces/parse-batch.ts";
export { parseInstant } from "./traces/parse-instant.ts";
export { RawJson, SOURCE } from "./traces/raw-json.ts";
export type {
  AgentSession,
  DecisionPoint,
  DecisionRow,
  DecisionSort,
  Json,
  PageInfo,
  Span,
  TraceEvent,
  TraceRow,
  TraceSort,
  WholeTrace,
} from "./traces/stored-trace.ts";
export { DECISION_SORTS, TRACE_SORTS } from "./traces/stored-trace.ts";
export type {
  DecisionPointType,
  EventType,
  ParsedDecisionPoint,
  ParsedEvent,
  ParsedSpan,
  ParsedTrace,
  SpanType,
  Status,
} from "./traces/trace.ts";
export { DECISION_POINT_TYPES, EVENT_TYPES, SPAN_TYPES, STATUSES } from "./traces/trace.ts";
export type { TraceChange, TraceChangeKind } from "./traces/trace-change.ts";
export { TRACE_CHANGE_KINDS } from "./traces/trace-change.ts";
