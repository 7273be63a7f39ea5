import {
  type DecisionPointType,
  hash32ToHex,
  type ListedVerdict,
  maskText,
  signatureToHex,
  signDecision,
} from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import { describeMakers } from "../auth/created-by.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { StoredVerdict } from "../trace-store/save-verdict.ts";
import { type VerdictFilter, verdictConditions } from "./verdict-filter.ts";

interface VerdictRow extends StoredVerdict {
  signature: number;
  step: number;
  type: DecisionPointType;
  chosen: string | null;
  traceName: string;
}

/** Longer options are not parsed, so it is enough to read that they are longer. */
const READ_CHARS = 32 * 1024 + 1;

/** One page of a workspace's verdicts, newest first. */
export async function listVerdicts(
  db: Database,
  workspaceId: WorkspaceId,
  { page, limit, ...filter }: VerdictFilter & { page: number; limit: number },
): Promise<{ verdicts: ListedVerdict[]; total: number }> {
  const where = verdictConditions(workspaceId, filter);
  const [verdicts, counted] = await Promise.all([
    readVerdicts(db, workspaceId, where, { limit, offset: (page - 1) * limit }),
    sql<{ total: number }>`select count(*) as total from verdicts where ${where}`.execute(db),
  ]);
  return { verdicts, total: counted.rows[0]?.total ?? 0 };
}

/** The newest verdict with a note, or null. */
export async function lastVerdictNote(
  db: Database,
  workspaceId: WorkspaceId,
  filter: VerdictFilter,
): Promise<ListedVerdict | null> {
  const where = sql`${verdictConditions(workspaceId, filter)} and verdicts.note is not null`;
  const [last] = await readVerdicts(db, workspaceId, where, { limit: 1, offset: 0 });
  return last ?? null;
}

async function readVerdicts(
  db: Database,
  workspaceId: WorkspaceId,
  where: RawBuilder<unknown>,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedVerdict[]> {
  const { rows } = await sql<VerdictRow>`
    select page.trace_id, page.decision_point_id, page.verdict, page.should_have_been, page.note, page.suspect_rank,
      page.created_at, page.created_by, page.signature, page.step, decisions.type, left(decisions.chosen::text, ${READ_CHARS}) as chosen,
      traces.name as trace_name
    from (
      select * from verdicts where ${where}
      order by created_at desc, trace_id desc, decision_point_id desc limit ${limit} offset ${offset}
    ) as page
      join decision_points as decisions on decisions.workspace_id = ${workspaceId}
        and decisions.trace_id = page.trace_id and decisions.id = page.decision_point_id
      join traces on traces.workspace_id = ${workspaceId} and traces.id = page.trace_id
    order by page.created_at desc, page.trace_id desc, page.decision_point_id desc`.execute(db);
  const described = await describeMakers(db.directory, rows);
  return described.map(({ signature, step, chosen, traceName, ...verdict }) => ({
    ...verdict,
    option: signDecision({ type: verdict.type, chosen: Buffer.from(chosen ?? "null"), alternatives: [] })
      .option,
    signature: signatureToHex(signature),
    step: hash32ToHex(step),
    agent: maskText(traceName),
  }));
}
