import {
  agentHash,
  buildDecisionFacts,
  type DecidedTrace,
  encodeDecisionFacts,
  encodeDecisionPath,
} from "@whytrace/contract";
import type { BinaryRows } from "../db/binary-rows.ts";

/** What insights read of a trace, as it is stored in the trace's row. */
export interface TraceFacts {
  agentHash: number;
  facts: Uint8Array;
  path: Uint8Array;
}

export const FACTS_COLUMNS = ["agent_hash", "decision_facts", "decision_path"];

/** Returns null for a trace without decisions. */
export function traceFacts(trace: DecidedTrace): TraceFacts | null {
  const facts = buildDecisionFacts(trace);
  return (
    facts && {
      agentHash: agentHash(trace.name),
      facts: encodeDecisionFacts(facts),
      path: encodeDecisionPath(facts.decisions),
    }
  );
}

export function writeFacts(rows: BinaryRows, facts: TraceFacts | null) {
  rows.bigint(facts?.agentHash ?? null);
  rows.bytes(facts?.facts ?? null);
  rows.bytes(facts?.path ?? null);
}

/** How facts are read from a JSON parameter, as columns of a record that is called `sent`. */
export const SENT_FACTS_COLUMNS = '"agentHash" bigint, "decisionFacts" text, "decisionPath" text';
export const SENT_FACTS = {
  agentHash: 'sent."agentHash"',
  facts: "decode(sent.\"decisionFacts\", 'base64')",
  path: "decode(sent.\"decisionPath\", 'base64')",
};

/** Facts as values of a JSON parameter. */
export const sentFacts = (facts: TraceFacts | null | undefined) => ({
  agentHash: facts?.agentHash ?? null,
  decisionFacts: facts ? Buffer.from(facts.facts).toString("base64") : null,
  decisionPath: facts ? Buffer.from(facts.path).toString("base64") : null,
});
