import type { DecisionOutcome } from "@whytrace/contract";
import { DECISION_POINT_TYPES, hash32 } from "@whytrace/contract";
import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";
import {
  FACTS_DECISION_BYTES,
  FACTS_HASH_BYTES,
  FACTS_HEADER_BYTES,
  FACTS_VERSION,
} from "../decision-facts/decision-facts.ts";
import { isFailedOutcome } from "../decision-facts/failed-outcome.ts";
import { OPEN_OUTCOME, OUTCOMES, UNKNOWN_OUTCOME } from "../decision-facts/outcome.ts";
import { RELEASE_NAME } from "../decision-facts/release-name.ts";
import { MARKS_FINGERPRINTS_OFFSET, MARKS_HEADER_BYTES, MARKS_WHOLE_RUN } from "../outcomes/marks.ts";
import type { TraceFilterValues } from "./trace-filter-params.ts";

/*
 * Conditions on rows of `traces` by what insights count of them (traces.agent_hash, traces.decision_facts): exactly the
 * traces that insights count. They read the bytes of the facts, whose layout is described in
 * decision-facts/decision-facts.ts.
 */

type Decided = Pick<TraceFilterValues, "decided">;

/** Traces with decisions, unless others are asked for. The agent's name may be masked or not. */
export const isOfAgent = (agent: string, { decided = "yes" }: Decided = {}): RawBuilder<unknown> =>
  sql`agent_hash = ${agentHash(agent)} and ${decided === "yes" ? sql`decision_types <> 0` : sql`true`}`;

/** The bytes that identify the release. */
export const RELEASE = sql`substring(decision_facts from 6 for 4)`;

/** Traces with decisions have the release in their facts; of others it is read from their tags. */
export const isOfRelease = (release: string, { decided = "yes" }: Decided = {}): RawBuilder<unknown> =>
  decided === "yes"
    ? sql`${RELEASE} = ${bytesOf(hash32(release))}::bytea`
    : sql`${RELEASE_NAME} = ${release}`;

/** Rules out most traces quickly. */
const mayContain = (hash: number) => sql`position(${bytesOf(hash)}::bytea in decision_facts) > 0`;

/** The facts, decompressed once for each trace and not for each of its decisions. */
const FACTS = sql`(select decision_facts || ''::bytea as facts offset 0) as own`;
const IS_CURRENT = sql`get_byte(facts, 0) = ${sql.lit(FACTS_VERSION)}`;
const DECISION_COUNT = sql`(get_byte(facts, 3) * 256 + get_byte(facts, 4))`;
/** Where a decision begins, counted from 0. */
const DECISION = sql`(${sql.lit(FACTS_HEADER_BYTES)} + ${sql.lit(FACTS_DECISION_BYTES)} * index)`;
const SENT_TYPE_AND_OUTCOME = sql`get_byte(facts, ${DECISION} + 12)`;
const POSITION = sql`(get_byte(facts, ${DECISION} + 13) * 256 + get_byte(facts, ${DECISION} + 14))`;
/** The numbers of marked decisions and of those left out, in `marks` (outcomes/marks.ts). */
const MARKED_COUNT = sql`(get_byte(marks, 2) * 256 + get_byte(marks, 3))`;
const LEFT_OUT_COUNT = sql`(get_byte(marks, 4) * 256 + get_byte(marks, 5))`;
const isListed = (first: RawBuilder<unknown>, count: RawBuilder<unknown>) => sql`exists (
  select from generate_series(${first}, ${first} + ${count} - 1) as mark
  where get_byte(marks, ${sql.lit(MARKS_HEADER_BYTES)} + 2 * mark) * 256
    + get_byte(marks, ${sql.lit(MARKS_HEADER_BYTES + 1)} + 2 * mark) = ${POSITION})`;
/** As `judgeFacts` judges a decision: by its facts, and the outcome and marks of its run. */
const JUDGED_OUTCOME = sql`(case
  when ${SENT_TYPE_AND_OUTCOME} & 7 = ${sql.lit(OPEN_OUTCOME)} then ${sql.lit(OPEN_OUTCOME)}
  when outcome = 2 or (marks is not null and ${isListed(MARKED_COUNT, LEFT_OUT_COUNT)}) then ${sql.lit(UNKNOWN_OUTCOME)}
  else (outcome = 1)::integer * 2 + (${SENT_TYPE_AND_OUTCOME} & 1 = 1 or (marks is not null and (
    get_byte(marks, 1) & ${sql.lit(MARKS_WHOLE_RUN)} <> 0 or ${isListed(sql`0`, MARKED_COUNT)})))::integer end)`;
const TYPE_AND_OUTCOME = sql`((${SENT_TYPE_AND_OUTCOME} & 248) | ${JUDGED_OUTCOME})`;
/** `substring` counts from 1, and the step follows the 8 bytes of the signature. */
const stepOf = (decision: RawBuilder<unknown>) => sql`substring(facts from ${decision} + 9 for 4)`;

/**
 * A decision that chose this step, was followed by the outcome, and came after a step; 0 is the start of the trace. Findings count
 * decisions whatever followed, so a lens does, too: also those of abandoned runs.
 */
export function hasDecision(
  step: number,
  { stepOutcome, after, lens }: Pick<TraceFilterValues, "stepOutcome" | "after" | "lens">,
): RawBuilder<unknown> {
  const isOfAnyOutcome = stepOutcome === undefined && lens !== undefined;
  const conditions = [
    IS_CURRENT,
    sql`${stepOf(DECISION)} = ${bytesOf(step)}::bytea`,
    ...(isOfAnyOutcome ? [] : [sql`${TYPE_AND_OUTCOME} = any(${typesAndOutcomes(stepOutcome)}::integer[])`]),
    ...(after === undefined ? [] : [comesAfter(after)]),
  ];
  const isAnyRun = stepOutcome === undefined || stepOutcome === "open";
  const mayEndSo = isAnyRun ? sql`true` : STATUS_OF_OUTCOME[stepOutcome];
  return sql`${mayEndSo} and ${mayContain(step)} and exists (
    select from ${FACTS}, generate_series(0, ${DECISION_COUNT} - 1) as index
    where ${sql.join(conditions, sql` and `)})`;
}

/** A decision with this signature. */
export function hasSignature(signature: number): RawBuilder<unknown> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(signature));
  return sql`position(${bytes}::bytea in decision_facts) > 0 and exists (
    select from ${FACTS}, generate_series(0, ${DECISION_COUNT} - 1) as index
    where ${IS_CURRENT} and substring(facts from ${DECISION} + 1 for 8) = ${bytes}::bytea)`;
}

/** Selects the decisions of a workspace's traces that were followed by this outcome, as (trace_id, position). */
export const decisionsFollowedBy = (
  workspaceId: WorkspaceId,
  outcome: DecisionOutcome,
): RawBuilder<unknown> => sql`
  select id as trace_id, ${POSITION} as position from traces, lateral ${FACTS}, generate_series(0, ${DECISION_COUNT} - 1) as index
  where workspace_id = ${workspaceId} and decision_facts is not null and ${STATUS_OF_OUTCOME[outcome]} and ${IS_CURRENT}
    and ${TYPE_AND_OUTCOME} = any(${typesAndOutcomes(outcome)}::integer[])`;

/** Rules out traces without reading their facts: whether a run is bad decides which outcomes it can have. */
const STATUS_OF_OUTCOME: Record<DecisionOutcome, RawBuilder<unknown>> = {
  failed: sql`outcome = 1`,
  recovered: sql`outcome = 0`,
  fine: sql`outcome <= 1`,
  open: sql`outcome = 3`,
};

const comesAfter = (step: number) =>
  step === 0
    ? sql`index = 0`
    : sql`index > 0 and ${stepOf(sql`(${DECISION} - ${sql.lit(FACTS_DECISION_BYTES)})`)} = ${bytesOf(step)}::bytea`;

/** The bytes that say a decision's type and outcome, for an outcome in words. Running traces count only if asked for. */
function typesAndOutcomes(wanted: DecisionOutcome | undefined): number[] {
  return DECISION_POINT_TYPES.flatMap((type, typeNumber) =>
    OUTCOMES.filter((outcome) => {
      if (outcome === UNKNOWN_OUTCOME) return false;
      if (outcome === OPEN_OUTCOME) return wanted === "open";
      if (wanted === undefined) return true;
      if (isFailedOutcome(type, outcome)) return wanted === "failed";
      return wanted === (outcome === 1 ? "recovered" : "fine");
    }).map((outcome) => (typeNumber << 3) | outcome),
  );
}

/** An error of a trace that has ended, or a reason for which it is bad. */
export const hasFingerprint = (fingerprint: number): RawBuilder<unknown> =>
  sql`(${hasError(fingerprint)} or ${hasReason(fingerprint)})`;

function hasReason(fingerprint: number): RawBuilder<unknown> {
  const count = (at: number) => sql.raw(`(get_byte(marks, ${at}) * 256 + get_byte(marks, ${at + 1}))`);
  const first = sql`(${sql.lit(MARKS_HEADER_BYTES)} + 2 * (${count(2)} + ${count(4)}))`;
  return sql`marks is not null and position(${bytesOf(fingerprint)}::bytea in marks) > 0 and exists (
    select from generate_series(0, get_byte(marks, ${sql.lit(MARKS_FINGERPRINTS_OFFSET)}) - 1) as index
    where substring(marks from ${first} + 4 * index + 1 for 4) = ${bytesOf(fingerprint)}::bytea)`;
}

function hasError(fingerprint: number): RawBuilder<unknown> {
  const first = sql`(${sql.lit(FACTS_HEADER_BYTES)} + ${sql.lit(FACTS_DECISION_BYTES)} * ${DECISION_COUNT})`;
  return sql`${mayContain(fingerprint)} and status <> 'RUNNING' and exists (
    select from ${FACTS}, generate_series(0, get_byte(facts, 1) - 1) as index
    where ${IS_CURRENT} and substring(
      facts from ${first} + ${sql.lit(FACTS_HASH_BYTES)} * index + 1 for 4) = ${bytesOf(fingerprint)}::bytea)`;
}

function bytesOf(hash: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(hash);
  return bytes;
}
