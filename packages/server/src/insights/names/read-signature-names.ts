import { type DecisionPointType, signDecision, stepOf } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { MAX_FACTS_DECISIONS } from "../../decision-facts/decision-facts.ts";
import type { Sample } from "../days/tally.ts";

/** A signature and where its names can be read. */
export interface SampledSignature {
  signature: number;
  /** A decision of the signature. */
  sample: Sample;
  /** Those whose names are wanted, each with a decision that chose it. */
  options: readonly { step: number; sample: Sample }[];
}

export interface SignatureNames {
  /** Of all its options, by step. */
  options: Map<number, string>;
  /** The span in which the sample was decided; null if in none. */
  place: string | null;
}

/** `signDecision` does not read longer values; they need not be sent either. */
const MAX_READ_LENGTH = 32 * 1024 + 1;
/** More options of all signatures together are not named. */
const MAX_READ_OPTIONS = 1_000;

/**
 * Reads the names of options. A decision whose alternatives are known names all options of its signature; those of which it
 * says nothing are read from decisions that chose them.
 */
export async function readSignatureNames(
  db: Database,
  workspaceId: WorkspaceId,
  signatures: readonly SampledSignature[],
): Promise<Map<number, SignatureNames>> {
  const names = new Map<number, SignatureNames>();
  await addNames(db, workspaceId, signatures, names);
  const unnamed = signatures.flatMap(({ signature, options }) =>
    options
      .filter(({ step }) => !names.get(signature)?.options.has(step))
      .map(({ sample }) => ({ signature, sample })),
  );
  await addNames(db, workspaceId, unnamed.slice(0, MAX_READ_OPTIONS), names);
  return names;
}

interface SampleRow {
  index: number;
  type: DecisionPointType;
  chosen: string | null;
  alternatives: string;
  place: string | null;
}

async function addNames(
  db: Database,
  workspaceId: WorkspaceId,
  sampled: readonly { signature: number; sample: Sample }[],
  names: Map<number, SignatureNames>,
): Promise<void> {
  const sent = sampled
    .map(({ sample }, index) => ({ index, ...sample }))
    // It also stands for later positions, of which it is not known which one.
    .filter(({ position }) => position < MAX_FACTS_DECISIONS);
  if (sent.length === 0) return;
  const { rows } = await sql<SampleRow>`
    select sample.index, decision.type, left(decision.chosen::text, ${MAX_READ_LENGTH}) as chosen,
      left(decision.alternatives::text, ${MAX_READ_LENGTH}) as alternatives, place.name as place
    from json_to_recordset(${JSON.stringify(sent)}::json) as sample (index integer, "traceId" text, position integer)
      join decision_points as decision on decision.workspace_id = ${workspaceId}
        and decision.trace_id = sample."traceId" collate "C" and decision.position = sample.position
      left join spans as place on place.workspace_id = ${workspaceId} and place.trace_id = decision.trace_id
        and place.id = decision.parent_span_id`.execute(db.withoutPlugins());
  for (const row of rows) {
    const signature = sampled[row.index]?.signature;
    if (signature === undefined) continue;
    const { options } = signDecision({
      type: row.type,
      chosen: row.chosen === null ? null : Buffer.from(row.chosen),
      alternatives: Buffer.from(row.alternatives),
    });
    const known = names.get(signature) ?? { options: new Map<number, string>(), place: row.place };
    names.set(signature, known);
    for (const option of options) known.options.set(stepOf(signature, option), option);
  }
}
