import { agentHash, MAX_VERDICTS_PER_USER, signDecision, type Verdict } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";

export const VERDICT_LIMIT_REACHED = `Verdict limit reached (${MAX_VERDICTS_PER_USER}). Export your verdicts, then undo some.`;

interface JudgedDecision {
  traceName: string;
  type: string;
  chosen: string | null;
  alternatives: string;
}

/** Saves what a person says about a decision, or changes it. Returns undefined if the user has no such decision. */
export async function saveVerdict(
  trx: Database,
  userId: string,
  given: Omit<Verdict, "createdAt">,
): Promise<Verdict | undefined> {
  // Serializes a user's verdicts, so that concurrent requests cannot exceed the limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`verdicts ${userId}`}, 0))`.execute(trx);
  const decision = await lockDecision(trx, userId, given);
  if (!decision) return undefined;
  const { saved, isNew } = await upsert(trx, userId, given, decision);
  if (isNew && (await countVerdictRows(trx, userId)) > MAX_VERDICTS_PER_USER)
    throw new HttpError(409, VERDICT_LIMIT_REACHED);
  return saved;
}

/** The lock makes a deletion of the trace wait, so that it finds the verdict and deletes it, too. */
async function lockDecision(
  trx: Database,
  userId: string,
  { traceId, decisionPointId }: Pick<Verdict, "traceId" | "decisionPointId">,
): Promise<JudgedDecision | undefined> {
  const { rows } = await sql<JudgedDecision>`
    select traces.name as trace_name, decisions.type, decisions.chosen, decisions.alternatives
    from traces join decision_points as decisions on decisions.user_id = ${userId}
      and decisions.trace_id = traces.id and decisions.id = ${decisionPointId}
    where traces.user_id = ${userId} and traces.id = ${traceId}
    for key share of traces`.execute(trx);
  return rows[0];
}

async function upsert(
  trx: Database,
  userId: string,
  { traceId, decisionPointId, verdict, shouldHaveBeen, note, suspectRank }: Omit<Verdict, "createdAt">,
  { traceName, type, chosen, alternatives }: JudgedDecision,
): Promise<{ saved: Verdict | undefined; isNew: boolean }> {
  // As bytes: long options are not parsed.
  const { signature, step } = signDecision({
    type,
    chosen: Buffer.from(chosen ?? "null"),
    alternatives: Buffer.from(alternatives),
  });
  const { rows } = await sql<Verdict & { isNew: boolean }>`
    insert into verdicts as stored (user_id, trace_id, decision_point_id, verdict, should_have_been, note, suspect_rank,
      agent_hash, signature, step)
    values (${userId}, ${traceId}, ${decisionPointId}, ${verdict}, ${shouldHaveBeen}, ${note}, ${suspectRank},
      ${agentHash(traceName)}, ${signature}, ${step})
    on conflict (user_id, trace_id, decision_point_id) do update set verdict = excluded.verdict,
      should_have_been = excluded.should_have_been, note = excluded.note,
      suspect_rank = coalesce(excluded.suspect_rank, stored.suspect_rank),
      agent_hash = excluded.agent_hash, signature = excluded.signature, step = excluded.step,
      created_at = case when (stored.verdict, stored.should_have_been, stored.note)
        is distinct from (excluded.verdict, excluded.should_have_been, excluded.note)
        then excluded.created_at else stored.created_at end
    returning trace_id, decision_point_id, verdict, should_have_been, note, suspect_rank, created_at,
      xmax = 0 as is_new`.execute(trx);
  const [row] = rows;
  if (!row) return { saved: undefined, isNew: false };
  const { isNew, ...saved } = row;
  return { saved, isNew };
}

async function countVerdictRows(trx: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from verdicts where user_id = ${userId}`.execute(trx);
  return rows[0]?.count ?? 0;
}
