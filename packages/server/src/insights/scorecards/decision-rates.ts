import {
  type DecisionRates,
  hash32ToHex,
  maskText,
  optionKey,
  signatureToHex,
  stepOf,
} from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { DecisionFact } from "../../decision-facts/decision-facts.ts";
import { decodeDecisionFacts } from "../../decision-facts/decode-decision-facts.ts";
import type { DaysRead } from "../days/read-days.ts";
import { signatureFigures } from "../days/signature-figures.ts";
import { findRuns } from "../names/find-runs.ts";

/** `signDecision` reads no longer lists and no more of their options. */
const MAX_ALTERNATIVES_LENGTH = 32 * 1024;
const MAX_ALTERNATIVES = 64;

interface DecisionName {
  traceId: string;
  decisionPointId: string;
}

/** What followed each option of one decision in runs of its agent; undefined if the decision is not there or not counted. */
export async function decisionRates(
  db: Database,
  workspaceId: WorkspaceId,
  { tally }: DaysRead,
  name: DecisionName,
): Promise<Omit<DecisionRates, "from" | "to" | "progress"> | undefined> {
  const decision = await readDecision(db, workspaceId, name);
  if (!decision) return undefined;
  const { agent, fact, alternatives } = decision;
  const { signature } = fact;
  const all = await signatureFigures(tally, findRuns(tally, { agent }));
  const figures = all.find((one) => one.signature === signature);
  const rates = new Map(figures?.options.map(({ step, sums }) => [step, sums.rate]));
  const steps = [fact.step, ...alternatives.map((option) => stepOf(signature, optionKey(option)))];
  return {
    agent,
    signature: signatureToHex(signature),
    decisions: figures?.total.sums.decisions ?? 0,
    options: steps.map((step) => ({ step: hash32ToHex(step), rate: rates.get(step) ?? null })),
  };
}

interface CountedDecision {
  agent: string;
  fact: DecisionFact;
  alternatives: unknown[];
}

async function readDecision(
  db: Database,
  workspaceId: WorkspaceId,
  { traceId, decisionPointId }: DecisionName,
): Promise<CountedDecision | undefined> {
  const { rows } = await sql<{
    position: number;
    alternatives: string | null;
    name: string | null;
    facts: Buffer | null;
  }>`
    select decision.position, traces.name, traces.decision_facts as facts,
      case when length(alternatives::text) <= ${MAX_ALTERNATIVES_LENGTH} then alternatives::text end as alternatives
    from decision_points as decision
    join traces on traces.workspace_id = decision.workspace_id and traces.id = decision.trace_id
    where decision.workspace_id = ${workspaceId} and traces.workspace_id = ${workspaceId}
      and decision.trace_id = ${traceId} and decision.id = ${decisionPointId}`.execute(db);
  const [row] = rows;
  if (!row?.facts || row.name === null) return undefined;
  const { position, name, facts } = row;
  const fact = decodeDecisionFacts(facts)?.decisions.find((one) => one.position === position);
  const alternatives: unknown = JSON.parse(row.alternatives ?? "[]");
  return (
    fact && {
      agent: maskText(name),
      fact,
      alternatives: Array.isArray(alternatives) ? alternatives.slice(0, MAX_ALTERNATIVES) : [],
    }
  );
}
