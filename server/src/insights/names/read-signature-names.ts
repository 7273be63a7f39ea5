import { type DecisionPointType, hash32, signDecision } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Sample } from "../days/tally.ts";

export interface SignatureNames {
  /** Of all its options, by step. */
  options: Map<number, string>;
  /** The span in which the sample was decided; null if in none. */
  place: string | null;
}

/** `signDecision` does not read longer values; they need not be sent either. */
const MAX_READ_LENGTH = 32 * 1024 + 1;

interface SampleRow {
  index: number;
  type: DecisionPointType;
  chosen: string | null;
  alternatives: string;
  place: string | null;
}

/** Reads the names of options from one decision of each signature: all decisions of a signature have the same options. */
export async function readSignatureNames(
  db: Database,
  userId: string,
  samples: ReadonlyMap<number, Sample>,
): Promise<Map<number, SignatureNames>> {
  const signatures = [...samples.keys()];
  const sent = signatures.map((signature, index) => ({ index, ...samples.get(signature) }));
  const { rows } = await sql<SampleRow>`
    select sample.index, decision.type, left(decision.chosen::text, ${MAX_READ_LENGTH}) as chosen,
      left(decision.alternatives::text, ${MAX_READ_LENGTH}) as alternatives, place.name as place
    from json_to_recordset(${JSON.stringify(sent)}::json) as sample (index integer, "traceId" text, position integer)
      join decision_points as decision on decision.user_id = ${userId}
        and decision.trace_id = sample."traceId" collate "C" and decision.position = sample.position
      left join spans as place on place.user_id = ${userId} and place.trace_id = decision.trace_id
        and place.id = decision.parent_span_id`.execute(db.withoutPlugins());
  const names = new Map<number, SignatureNames>();
  for (const row of rows) {
    const signature = signatures[row.index];
    if (signature === undefined) continue;
    const { options, signature: found } = signDecision({
      type: row.type,
      chosen: row.chosen === null ? null : Buffer.from(row.chosen),
      alternatives: Buffer.from(row.alternatives),
    });
    // Positions beyond the largest one that facts can hold are not known.
    if (found !== signature) continue;
    const steps = options.map((option) => [hash32(`${signature}\n${option}`), option] as const);
    names.set(signature, { options: new Map(steps), place: row.place });
  }
  return names;
}
