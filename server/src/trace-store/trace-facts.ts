import {
  agentHash,
  buildDecisionFacts,
  DECISION_POINT_TYPES,
  type DecidedTrace,
  type DecisionPointType,
  encodeDecisionFacts,
  encodeDecisionPath,
} from "@whytrace/contract";
import type { BinaryRows } from "../db/binary-rows.ts";
import { metadataPairs } from "./metadata-pairs.ts";

/** What is computed of a trace, as it is stored in the trace's row: for insights, and to filter lists. */
export interface TraceFacts {
  /** Null if the trace has no decisions, like the two after it. */
  agentHash: number | null;
  facts: Uint8Array | null;
  path: Uint8Array | null;
  errorCount: number;
  decisionTypes: number;
  metadataPairs: string[] | null;
}

export function traceFacts(trace: DecidedTrace & { metadata?: unknown }): TraceFacts {
  const facts = buildDecisionFacts(trace);
  return {
    agentHash: facts && agentHash(trace.name),
    facts: facts && encodeDecisionFacts(facts),
    path: facts && encodeDecisionPath(facts.decisions),
    errorCount: trace.spans.reduce((count, { status }) => count + (status === "ERROR" ? 1 : 0), 0),
    decisionTypes: trace.decisionPoints.reduce((bits, { type }) => bits | decisionTypeBit(type), 0),
    metadataPairs: metadataPairs(trace.metadata),
  };
}

const TYPE_BITS = new Map(DECISION_POINT_TYPES.map((type, index) => [type, 1 << index]));

/** The bit of `traces.decision_types` that says whether a trace has a decision of this type. */
export const decisionTypeBit = (type: DecisionPointType): number => TYPE_BITS.get(type) ?? 0;

export function writeFacts(rows: BinaryRows, facts: TraceFacts) {
  rows.bigint(facts.agentHash);
  rows.bytes(facts.facts);
  rows.bytes(facts.path);
  rows.integer(facts.errorCount);
  rows.integer(facts.decisionTypes);
  if (facts.metadataPairs) rows.textArray(facts.metadataPairs);
  else rows.text(null);
}

/** How facts are read from a JSON parameter, as columns of a record that is called `sent`. */
export const SENT_FACTS_COLUMNS =
  '"agentHash" bigint, "decisionFacts" text, "decisionPath" text, "errorCount" integer, "decisionTypes" integer, ' +
  '"metadataPairs" json';

/** The columns, in the order of `writeFacts`, and their values from that record. */
const SENT_FACTS = {
  agent_hash: 'sent."agentHash"',
  decision_facts: "decode(sent.\"decisionFacts\", 'base64')",
  decision_path: "decode(sent.\"decisionPath\", 'base64')",
  error_count: 'sent."errorCount"',
  decision_types: 'sent."decisionTypes"',
  metadata_pairs:
    'case when sent."metadataPairs" is not null then array(select json_array_elements_text(sent."metadataPairs")) end',
};
export const FACTS_COLUMNS = Object.keys(SENT_FACTS);

/** Columns of a subquery of that record; a cluster allows no function of a sent value in an assignment. */
export const COMPUTED_FACTS = Object.entries(SENT_FACTS)
  .map(([column, value]) => `${value} as ${column}`)
  .join(", ");

/** Assigns the columns of such a subquery, which is also called `sent`, to a row of `traces`. */
export const FACTS_ASSIGNMENTS = FACTS_COLUMNS.map((column) => `${column} = sent.${column}`).join(", ");

/** Facts as values of a JSON parameter. */
export const sentFacts = ({ facts, path, ...others }: TraceFacts) => ({
  ...others,
  decisionFacts: facts && Buffer.from(facts).toString("base64"),
  decisionPath: path && Buffer.from(path).toString("base64"),
});
