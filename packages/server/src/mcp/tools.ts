import type { Tool } from "./tool.ts";
import { compareReleases } from "./tools/compare-releases.ts";
import { compareTraces } from "./tools/compare-traces.ts";
import { drift } from "./tools/drift.ts";
import { findDecisions } from "./tools/find-decisions.ts";
import { findTraces } from "./tools/find-traces.ts";
import { getIssue } from "./tools/get-issue.ts";
import { getSpan } from "./tools/get-span.ts";
import { getTrace } from "./tools/get-trace.ts";
import { listIssues } from "./tools/list-issues.ts";
import { optionScorecard } from "./tools/option-scorecard.ts";
import { recordVerdict } from "./tools/record-verdict.ts";
import { resolveIssue } from "./tools/resolve-issue.ts";
import { scoreTrace } from "./tools/score-trace.ts";
import { search } from "./tools/search.ts";
import { why } from "./tools/why.ts";

/** In the order in which a model needs them. */
export const TOOLS: readonly Tool[] = [
  findTraces,
  why,
  listIssues,
  getIssue,
  getTrace,
  getSpan,
  compareTraces,
  findDecisions,
  search,
  optionScorecard,
  drift,
  compareReleases,
  recordVerdict,
  scoreTrace,
  resolveIssue,
];
