import { MAX_SHARES_PER_WORKSPACE, SHARE_DAYS } from "@whytrace/contract";
import { EXPIRES_IN_THE_PAST } from "@whytrace/contract/schemas/future-date";
import type { CreatedShare } from "@whytrace/contract/schemas/shares";
import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import { hashToken, randomToken } from "../auth/random-token.ts";
import { lockSession } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import type { BlameResources } from "../insights/blame/explain-error.ts";
import { lockMember } from "../workspaces/lock-workspace.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { explainSharedRun } from "./explain-shared-run.ts";

export const TOO_MANY_SHARES = `Link limit reached (${MAX_SHARES_PER_WORKSPACE}). Revoke a link in Settings, Links.`;

interface NewShare {
  traceId: string;
  hasPayloads: boolean;
  hasWhy: boolean;
  /** Milliseconds since 1970; undefined for the default. */
  expiresAtMs: number | undefined;
}

/** Returns the link's record and its token, of which only a hash is stored; undefined if the user has no such trace. */
export async function createShare(
  { db, ...resources }: BlameResources & { db: Database },
  session: MemberSession,
  { traceId, hasPayloads, hasWhy, expiresAtMs }: NewShare,
  origin: Origin,
): Promise<(Omit<CreatedShare, "url"> & { token: string }) | undefined> {
  const { workspaceId, user } = session;
  const token = randomToken();
  const { rows: traces } = await resources.reads.run(workspaceId, (traceDb) =>
    sql<{ storedAt: string }>`
      select created_at::text as stored_at from traces where workspace_id = ${workspaceId} and id = ${traceId}`.execute(
      traceDb,
    ),
  );
  const [trace] = traces;
  if (!trace) return undefined;
  const why = hasWhy ? await explainSharedRun(resources, workspaceId, traceId) : null;
  return transaction(db, async (trx) => {
    if (!(await lockSession(trx, session.id))) throw new HttpError(401, "Unauthorized");
    // Serializes the creations of a workspace, so that concurrent requests cannot exceed the limit.
    await lockMember(trx, { workspaceId, userId: user.id, needed: "member" });
    const { rows } = await sql<Omit<CreatedShare, "url"> & { isExpired: boolean }>`
      insert into trace_shares
        (workspace_id, created_by, trace_id, trace_created_at, token_hash, has_payloads, why, expires_at)
      select ${workspaceId}, ${user.id}, ${traceId}, ${trace.storedAt}::timestamptz, ${hashToken(token)}, ${hasPayloads},
        ${why && JSON.stringify(why)}::jsonb,
        coalesce(to_timestamp(${expiresAtMs ?? null}::float8 / 1000), now() + make_interval(days => ${SHARE_DAYS}))
      where (select count(*) from trace_shares where workspace_id = ${workspaceId}) < ${MAX_SHARES_PER_WORKSPACE}
      returning id, has_payloads, why is not null as has_why, created_at, expires_at, expires_at <= now() as is_expired`.execute(
      trx,
    );
    const [row] = rows;
    if (!row) throw new HttpError(409, TOO_MANY_SHARES);
    const { isExpired, ...created } = row;
    if (isExpired) throw new HttpError(400, EXPIRES_IN_THE_PAST);
    const target = { kind: "link", id: created.id, name: null };
    await recordEvent(trx, workspaceId, origin, {
      action: "link.created",
      target,
      details: { traceId, hasPayloads, hasWhy },
    });
    return { ...created, token };
  });
}
