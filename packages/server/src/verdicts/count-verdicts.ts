import { hash32ToHex, maskText } from "@whytrace/contract";
import type { VerdictCount, VerdictKind } from "@whytrace/contract/schemas/verdicts";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { type VerdictFilter, verdictConditions } from "./verdict-filter.ts";

interface CountRow {
  step: number;
  verdict: VerdictKind;
  shouldHaveBeen: string | null;
  count: number;
}

/** How often each option of one decision was judged, the most judged one first. */
export async function countVerdicts(
  db: Database,
  workspaceId: WorkspaceId,
  filter: VerdictFilter & { signature: number },
): Promise<VerdictCount[]> {
  const { rows } = await sql<CountRow>`
    select step, verdict, should_have_been, count(*) as count from verdicts
    where ${verdictConditions(workspaceId, filter)} group by step, verdict, should_have_been
    order by sum(count(*)) over (partition by step) desc, step, count desc, should_have_been`.execute(db);
  return [...Map.groupBy(rows, ({ step }) => step)].map(([step, ofStep]) => ({
    step: hash32ToHex(step),
    right: sum(ofStep.filter(({ verdict }) => verdict === "right")),
    wrong: sum(ofStep.filter(({ verdict }) => verdict === "wrong")),
    shouldHaveBeen: countOptions(ofStep),
  }));
}

/** Options that differ only in masked parts are one. */
function countOptions(rows: CountRow[]): VerdictCount["shouldHaveBeen"] {
  const named = Map.groupBy(
    rows.filter(({ shouldHaveBeen }) => shouldHaveBeen !== null),
    ({ shouldHaveBeen }) => maskText(shouldHaveBeen ?? ""),
  );
  return [...named].map(([option, ofOption]) => ({ option, verdicts: sum(ofOption) }));
}

const sum = (rows: CountRow[]) => rows.reduce((total, { count }) => total + count, 0);
