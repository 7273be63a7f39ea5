import type { DecisionOutcome } from "../../traces/decision-outcomes.ts";
import type { DecisionPointType } from "../../traces/enums.ts";
import type { DecisionSort, TraceSort } from "../../traces/sorts.ts";
import type { TraceFilterTexts } from "../../traces/trace-filters.ts";
import type { IssueKind, IssueSort, ListedState } from "../issues/issues.ts";
import type { ScoreSource } from "../scores.ts";

/* Query parameters that several routes have, or that are many. Dates are ISO 8601 texts. */

type NumberText = number | `${number}`;

export interface Page {
  page?: NumberText;
  limit?: NumberText;
}

export interface Range {
  from?: string;
  to?: string;
}

export interface AgentRange extends Range {
  agent?: string;
}

export interface CountedRuns extends AgentRange {
  release?: string;
}

export interface ComparedSides extends CountedRuns {
  baseFrom?: string;
  baseTo?: string;
  baseRelease?: string;
}

export interface TracesQuery extends Page, TraceFilterTexts {
  sort?: TraceSort | undefined;
  /** `models`, `outcome` or both, separated by a comma. */
  include?: string;
  [pair: `metadata.${string}`]: string | undefined;
}

export interface DecisionsQuery extends Page, Range {
  type?: DecisionPointType;
  sort?: DecisionSort;
  search?: string;
  choice?: string;
  agent?: string;
  outcome?: DecisionOutcome;
  inferred?: "true" | "false";
  include?: "outcome";
}

export interface IssuesQuery extends Page, Range {
  state?: ListedState;
  sort?: IssueSort;
  kind?: IssueKind;
  agent?: string;
  release?: string;
  assignee?: string;
  search?: string;
  traceId?: string;
}

export interface ScoresQuery extends Page {
  traceId?: string;
  name?: string;
  source?: ScoreSource;
  author?: string;
  agent?: string;
  dateFrom?: string;
  dateTo?: string;
}

export interface QueueQuery {
  name?: string;
  author?: string;
  agent?: string;
  sample?: "newest" | "random";
  near?: string;
  since?: string;
  judge?: string;
  judgeAuthor?: string;
  limit?: NumberText;
}
