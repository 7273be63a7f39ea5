import { sql } from "kysely";
import { MAX_PATH_STEPS } from "../../decision-facts/decision-facts.ts";
import { decodeDecisionPath, decodeFactsSteps } from "../../decision-facts/decode-decision-facts.ts";
import type { Bytes } from "./step-path.ts";

/** What a run decided. */
export interface DecidedRun {
  /** Its first steps. */
  path: Bytes;
  /** Only if its path does not hold all its steps. */
  facts: Bytes | null;
}

/** SQL of `DecidedRun.facts`. */
export const FACTS_OF_LONG_RUN = sql`
  case when decision_point_count > ${sql.lit(MAX_PATH_STEPS)} then decision_facts end`;

/** All steps of a run, in walking order. */
export function runSteps({ path, facts }: DecidedRun): number[] {
  return (facts && decodeFactsSteps(facts)) ?? decodeDecisionPath(path);
}
