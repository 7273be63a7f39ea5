import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import type { ProviderCalls } from "./provider-calls.ts";

export async function findCustomer(db: Database, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id from billing_customers where user_id = ${userId}`.execute(db);
  return rows[0]?.customerId;
}

/** Creates and stores the user's customer at the provider. Concurrent requests of one attempt create the same one. */
export async function createCustomer(
  db: Database,
  calls: ProviderCalls,
  user: { id: string; email: string },
  attempt: number,
): Promise<string> {
  const created = await calls.createCustomer(user.id, user.email, attempt);
  await sql`
    insert into billing_customers (user_id, customer_id)
    select id, ${created} from users where id = ${user.id}
    on conflict (user_id) do nothing`.execute(db);
  const stored = await findCustomer(db, user.id);
  // The account was deleted meanwhile.
  if (!stored) throw new HttpError(401, "Unauthorized");
  return stored;
}
