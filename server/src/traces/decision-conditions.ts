import {
  agentHash,
  DECISION_POINT_TYPES,
  FACTS_DECISION_BYTES,
  FACTS_FINGERPRINT_BYTES,
  FACTS_HEADER_BYTES,
  FACTS_VERSION,
  hash32,
  isFailedOutcome,
  OUTCOMES,
} from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";

/** What followed a decision: the words that insights use. */
export const DECISION_OUTCOMES = ["failed", "recovered", "fine", "open"] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

/** Filters of traces by what insights count of them (traces.agent_hash, traces.decision_facts). */
export interface DecisionFilter {
  /** The name of an agent, masked or not. */
  agent?: string | undefined;
  release?: string | undefined;
  /** A decision that chose this, was followed by this, and came after this step; 0 is the start of the trace. */
  step?: number | undefined;
  outcome?: DecisionOutcome | undefined;
  after?: number | undefined;
  /** The fingerprint of an error. */
  fingerprint?: number | undefined;
}

/**
 * Conditions on rows of `traces`: exactly the traces that insights count. They read the bytes of the facts, whose layout is
 * described in contract/src/insights/decision-facts.ts.
 */
export function decisionConditions(filter: DecisionFilter): RawBuilder<unknown>[] {
  const { agent, release, step, fingerprint } = filter;
  return [
    ...(agent === undefined ? [] : [sql`agent_hash = ${agentHash(agent)}`]),
    ...(release === undefined
      ? []
      : [sql`substring(decision_facts from 5 for 4) = ${bytesOf(hash32(release))}::bytea`]),
    ...(step === undefined ? [] : [mayContain(step), hasDecision({ ...filter, step })]),
    ...(fingerprint === undefined ? [] : [mayContain(fingerprint), hasFingerprint(fingerprint)]),
  ];
}

/** Rules out most traces quickly. */
const mayContain = (hash: number) => sql`position(${bytesOf(hash)}::bytea in decision_facts) > 0`;

/** The facts, decompressed once for each trace and not for each of its decisions. */
const FACTS = sql`(select decision_facts || ''::bytea as facts offset 0) as own`;
const IS_CURRENT = sql`get_byte(facts, 0) = ${sql.lit(FACTS_VERSION)}`;
const DECISION_COUNT = sql`(get_byte(facts, 2) * 256 + get_byte(facts, 3))`;
/** Where a decision begins, counted from 0. */
const DECISION = sql`(${sql.lit(FACTS_HEADER_BYTES)} + ${sql.lit(FACTS_DECISION_BYTES)} * index)`;
const TYPE_AND_OUTCOME = sql`get_byte(facts, ${DECISION} + 12)`;
const POSITION = sql`(get_byte(facts, ${DECISION} + 13) * 256 + get_byte(facts, ${DECISION} + 14))`;
/** `substring` counts from 1, and the step follows the 8 bytes of the signature. */
const stepOf = (decision: RawBuilder<unknown>) => sql`substring(facts from ${decision} + 9 for 4)`;

function hasDecision({ step, outcome, after }: DecisionFilter & { step: number }) {
  const conditions = [
    IS_CURRENT,
    sql`${stepOf(DECISION)} = ${bytesOf(step)}::bytea`,
    sql`${TYPE_AND_OUTCOME} = any(${typesAndOutcomes(outcome)}::integer[])`,
    ...(after === undefined ? [] : [comesAfter(after)]),
  ];
  return sql`exists (
    select from ${FACTS}, generate_series(0, ${DECISION_COUNT} - 1) as index
    where ${sql.join(conditions, sql` and `)})`;
}

/** Selects the decisions of a user's traces that were followed by this outcome, as (trace_id, position). */
export const decisionsFollowedBy = (userId: string, outcome: DecisionOutcome): RawBuilder<unknown> => sql`
  select id as trace_id, ${POSITION} as position from traces, lateral ${FACTS}, generate_series(0, ${DECISION_COUNT} - 1) as index
  where user_id = ${userId} and decision_facts is not null and ${STATUS_OF_OUTCOME[outcome]} and ${IS_CURRENT}
    and ${TYPE_AND_OUTCOME} = any(${typesAndOutcomes(outcome)}::integer[])`;

/** Rules out traces without reading their facts: whether a run failed decides which outcomes it can have. */
const STATUS_OF_OUTCOME: Record<DecisionOutcome, RawBuilder<unknown>> = {
  failed: sql`status = 'ERROR'`,
  recovered: sql`status = 'COMPLETED'`,
  fine: sql`status <> 'RUNNING'`,
  open: sql`status = 'RUNNING'`,
};

const comesAfter = (step: number) =>
  step === 0
    ? sql`index = 0`
    : sql`index > 0 and ${stepOf(sql`(${DECISION} - ${sql.lit(FACTS_DECISION_BYTES)})`)} = ${bytesOf(step)}::bytea`;

/** The bytes that say a decision's type and outcome, for an outcome in words. Running traces count only if asked for. */
function typesAndOutcomes(wanted: DecisionOutcome | undefined): number[] {
  return DECISION_POINT_TYPES.flatMap((type, typeNumber) =>
    OUTCOMES.filter((outcome) => {
      if (outcome === 4) return wanted === "open";
      if (wanted === undefined) return true;
      if (isFailedOutcome(type, outcome)) return wanted === "failed";
      return wanted === (outcome === 1 ? "recovered" : "fine");
    }).map((outcome) => (typeNumber << 3) | outcome),
  );
}

function hasFingerprint(fingerprint: number) {
  const first = sql`(${sql.lit(FACTS_HEADER_BYTES)} + ${sql.lit(FACTS_DECISION_BYTES)} * ${DECISION_COUNT})`;
  return sql`status <> 'RUNNING' and exists (
    select from ${FACTS}, generate_series(0, get_byte(facts, 1) - 1) as index
    where ${IS_CURRENT} and substring(
      facts from ${first} + ${sql.lit(FACTS_FINGERPRINT_BYTES)} * index + 1 for 4) = ${bytesOf(fingerprint)}::bytea)`;
}

function bytesOf(hash: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(hash);
  return bytes;
}
