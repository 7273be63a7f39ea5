import type { TierTerms } from "@whytrace/contract";
import type { Tier } from "@whytrace/contract/schemas/billing";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { periodStartSql, resetsAtSql, sessionsUsedSql } from "./usage.ts";

/** The user's plan, their usage in the current period, and all plans. */
export async function readBilling(db: Database, workspaceId: WorkspaceId, terms: Record<Tier, TierTerms>) {
  const { rows } = await sql<{
    tier: Tier;
    status: string;
    sessionsLimit: number;
    sessionsUsed: number;
    resetsAt: string;
    refusedRequests: number;
    refusedSince: string | null;
  }>`
    select tier, coalesce(provider_status, 'active') as status, sessions_limit,
      ${sessionsUsedSql(sql`${workspaceId}`)} as sessions_used, ${resetsAtSql} as resets_at, refused_requests,
      case when refused_since >= ${periodStartSql} then refused_since end as refused_since
    from subscriptions where subscriptions.workspace_id = ${workspaceId}`.execute(await db.of(workspaceId));
  const [row] = rows;
  if (!row) throw new HttpError(403, "No subscription found for this user");
  const { refusedRequests: requests, refusedSince: since, ...plan } = row;
  return {
    ...plan,
    refused: since === null ? null : { requests, since },
    period: terms[row.tier].period,
    tiers: [terms.FREE, terms.STARTER, terms.PRO],
  };
}
