import { DECISION_POINT_TYPES, type DecisionPointType } from "@whytrace/contract";
import type { BinaryRows } from "../../db/copy/binary-rows.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { buildDecisionFacts } from "../../decision-facts/build-decision-facts.ts";
import type { DecidedTrace } from "../../decision-facts/decided-trace.ts";
import { encodeDecisionFacts, encodeDecisionPath } from "../../decision-facts/encode-decision-facts.ts";
import { releaseOf } from "../../decision-facts/release.ts";
import { BUILT_IN_DEFINITIONS, type Definitions } from "../../outcomes/definition.ts";
import { errorOfRun } from "../../outcomes/error-of-run.ts";
import { problemsOfRun } from "../../outcomes/problems-of-run.ts";
import { type OutcomeColumns, outcomeColumns } from "../outcomes/outcome-columns.ts";
import { personHash, type RunProblems } from "../problems/run-problems.ts";
import type { ParsedScore } from "../scores/parsed-score.ts";
import { toJudgedScore } from "../scores/to-judged-score.ts";
import { metadataPairs, splitMetadataPair } from "./metadata-pairs.ts";

/** What is computed of a trace, as it is stored in the trace's row: for insights, and to filter lists. */
interface ComputedColumns extends OutcomeColumns {
  agentHash: number;
  /** Null if the trace has no decisions, like the path. */
  decisionFacts: Uint8Array | null;
  decisionPath: Uint8Array | null;
  errorCount: number;
  decisionTypes: number;
  metadataPairs: string[] | null;
  serviceVersion: string | null;
  /** The keys of the run's problems; null if it is not bad. */
  problems: number[] | null;
}

/** The columns, and what else is written of the run. */
export interface ComputedRun extends ComputedColumns {
  run: RunProblems;
}

export interface ComputedTrace extends DecidedTrace {
  metadata?: unknown;
  totalCost?: number | null;
  /** Those of a trace without metadata. */
  metadataPairs?: string[] | null;
}

/** `scores` are those that a new trace carries. A stored trace with scores is judged again when its rows are written. */
export function computeColumns(
  trace: ComputedTrace,
  definitions: Definitions = BUILT_IN_DEFINITIONS,
  scores: readonly ParsedScore[] = [],
): ComputedRun {
  const pairs = metadataPairs(trace.metadata) ?? trace.metadataPairs ?? null;
  const facts = buildDecisionFacts({ ...trace, userId: pairs && findUser(pairs) });
  const definition = definitions.of(trace.name);
  const { reasons, ...judged } = outcomeColumns(trace, definition, scores);
  const problems =
    reasons.length === 0
      ? []
      : problemsOfRun({
          name: trace.name,
          definition,
          reasons,
          scores: scores.map(toJudgedScore),
          error: () => errorOfRun(trace),
        });
  const hash = agentHash(trace.name);
  return {
    agentHash: hash,
    decisionFacts: facts && encodeDecisionFacts(facts),
    decisionPath: facts && encodeDecisionPath(facts.decisions),
    errorCount: trace.spans.reduce((count, { status }) => count + (status === "ERROR" ? 1 : 0), 0),
    decisionTypes: trace.decisionPoints.reduce((bits, { type }) => bits | decisionTypeBit(type), 0),
    metadataPairs: pairs,
    serviceVersion: trace.serviceVersion ?? null,
    ...judged,
    problems: problems.length === 0 ? null : problems.map(({ key }) => key),
    run: {
      agentHash: hash,
      release: releaseOf(trace),
      personHash: problems.length === 0 ? null : personHash(pairs),
      startedAt: trace.startedAt,
      problems,
    },
  };
}

/** The names under which senders tell for whom a run was made. */
const USER_KEYS: ReadonlySet<string> = new Set(["user.id", "enduser.id", "userId", "user_id"]);

function findUser(pairs: readonly string[]): string | null {
  for (const pair of pairs) {
    const { key, value } = splitMetadataPair(pair);
    if (USER_KEYS.has(key)) return value;
  }
  return null;
}

const TYPE_BITS = new Map(DECISION_POINT_TYPES.map((type, index) => [type, 1 << index]));

/** The bit of `traces.decision_types` that says whether a trace has a decision of this type. */
export const decisionTypeBit = (type: DecisionPointType): number => TYPE_BITS.get(type) ?? 0;

export function writeComputedColumns(rows: BinaryRows, columns: ComputedColumns) {
  rows.bigint(columns.agentHash);
  rows.bytes(columns.decisionFacts);
  rows.bytes(columns.decisionPath);
  rows.integer(columns.errorCount);
  rows.integer(columns.decisionTypes);
  if (columns.metadataPairs) rows.textArray(columns.metadataPairs);
  else rows.text(null);
  rows.text(columns.serviceVersion);
  rows.smallint(columns.outcome);
  rows.smallint(columns.outcomeFlags);
  rows.integer(columns.definition);
  rows.bytes(columns.marks);
  rows.bigintArray(columns.problems);
}

/** How computed columns are read from a JSON parameter, as columns of a record that is called `sent`. */
export const SENT_COLUMN_TYPES =
  '"agentHash" bigint, "decisionFacts" text, "decisionPath" text, "errorCount" integer, "decisionTypes" integer, ' +
  '"metadataPairs" json, "serviceVersion" text, "outcomeNumber" smallint, "outcomeFlags" smallint, "definitionNumber" integer, "markBytes" text, "problemKeys" json';

/** The columns, in the order of `writeComputedColumns`, and their values from that record. */
const SENT_VALUES = {
  agent_hash: 'sent."agentHash"',
  decision_facts: "decode(sent.\"decisionFacts\", 'base64')",
  decision_path: "decode(sent.\"decisionPath\", 'base64')",
  error_count: 'sent."errorCount"',
  decision_types: 'sent."decisionTypes"',
  metadata_pairs:
    'case when sent."metadataPairs" is not null then array(select json_array_elements_text(sent."metadataPairs")) end',
  service_version: 'sent."serviceVersion"',
  outcome: 'sent."outcomeNumber"',
  outcome_flags: 'sent."outcomeFlags"',
  definition: 'sent."definitionNumber"',
  marks: "decode(sent.\"markBytes\", 'base64')",
  problems:
    'case when sent."problemKeys" is not null then array(select json_array_elements_text(sent."problemKeys")::bigint) end',
};
export const COMPUTED_COLUMNS = Object.keys(SENT_VALUES);

/** Columns of a subquery of that record, which computes what may not be computed in an assignment (`DISTRIBUTED_TABLES`). */
export const SENT_COMPUTED_COLUMNS = Object.entries(SENT_VALUES)
  .map(([column, value]) => `${value} as ${column}`)
  .join(", ");

/** Assigns the columns of such a subquery, which is also called `sent`, to a row of `traces`. */
export const SENT_ASSIGNMENTS = COMPUTED_COLUMNS.map((column) => `${column} = sent.${column}`).join(", ");

/** Computed columns as values of a JSON parameter. */
export const sentComputedColumns = ({
  decisionFacts,
  decisionPath,
  outcome,
  definition,
  marks,
  problems,
  run: _run,
  ...others
}: ComputedRun) => ({
  ...others,
  problemKeys: problems,
  outcomeNumber: outcome,
  definitionNumber: definition,
  markBytes: marks && Buffer.from(marks).toString("base64"),
  decisionFacts: decisionFacts && Buffer.from(decisionFacts).toString("base64"),
  decisionPath: decisionPath && Buffer.from(decisionPath).toString("base64"),
});
