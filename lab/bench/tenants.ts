import type { Tier } from "@whytrace/contract/schemas/billing";
import { Random } from "@whytrace/demo";
import { insertUser } from "@whytrace/testing/samples/insert-user.ts";
import { sql } from "kysely";
import { TIERS } from "../../packages/server/src/billing/tiers.ts";
import type { Database } from "../../packages/server/src/db/database.ts";
import { asWorkspaceId, type WorkspaceId } from "../../packages/server/src/db/workspace-id.ts";

export interface Tenant {
  workspaceId: WorkspaceId;
  email: string;
  tier: Tier;
  traceCount: number;
}

const SMALL_TENANTS = 50;

export const BIG_EMAIL = "big@bench.test";
export const FREE_EMAIL = "free@bench.test";

export const bigTenant = (traceCount: number): Tenant => ({
  workspaceId: asWorkspaceId(new Random(2).uuid()),
  email: BIG_EMAIL,
  tier: "PRO",
  traceCount,
});

/** One tenant with 100,000 traces, 50 with 2,000, and a FREE one that has used its 20 traces of today. */
export function planTenants(scale: number): Tenant[] {
  const random = new Random(2);
  const tenant = (email: string, tier: Tier, traceCount: number): Tenant => ({
    workspaceId: asWorkspaceId(random.uuid()),
    email,
    tier,
    traceCount,
  });
  return [
    tenant(BIG_EMAIL, "PRO", Math.round(100_000 * scale)),
    ...Array.from({ length: SMALL_TENANTS }, (_, index) =>
      tenant(`tenant-${index + 1}@bench.test`, "PRO", Math.round(2_000 * scale)),
    ),
    tenant(FREE_EMAIL, "FREE", TIERS.FREE.sessionsLimit),
  ];
}

/** Inserts users with their workspaces and subscriptions; `sessionsLimit` overrides the limit of the tier. */
export async function insertTenants(db: Database, tenants: Tenant[], sessionsLimit?: number): Promise<void> {
  for (const { workspaceId, email, tier, traceCount } of tenants) {
    const limit = sessionsLimit ?? TIERS[tier].sessionsLimit;
    const used = tier === "FREE" ? 0 : Math.min(traceCount, limit - 1);
    await insertUser(db, email, workspaceId);
    await sql`
      insert into subscriptions (workspace_id, tier, sessions_limit, sessions_used)
      values (${workspaceId}, ${tier}, ${limit}, ${used})`.execute(db);
  }
}
