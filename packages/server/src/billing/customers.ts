import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import type { ProviderCalls } from "./provider-calls.ts";

/** A workspace and the address of who pays for it. */
export interface Payer {
  workspaceId: WorkspaceId;
  email: string;
}

export async function findCustomer(db: Database, workspaceId: WorkspaceId): Promise<string | undefined> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id from billing_customers where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.customerId;
}

/** Creates and stores the workspace's customer at the provider. Concurrent requests of one attempt create the same one. */
export async function createCustomer(
  db: Database,
  calls: ProviderCalls,
  { workspaceId, email }: Payer,
  attempt: number,
): Promise<string> {
  const created = await calls.createCustomer(workspaceId, email, attempt);
  await sql`
    insert into billing_customers (workspace_id, customer_id)
    select id, ${created} from workspaces where id = ${workspaceId}
    on conflict (workspace_id) do nothing`.execute(db);
  const stored = await findCustomer(db, workspaceId);
  // The account was deleted meanwhile.
  if (!stored) throw new HttpError(401, "Unauthorized");
  return stored;
}
