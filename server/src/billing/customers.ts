import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { ProviderCalls } from "./provider.ts";

export async function findCustomer(db: Database, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id from billing_customers where user_id = ${userId}`.execute(db);
  return rows[0]?.customerId;
}

/** Returns the user's customer id at the provider; creates and stores the customer before the first checkout. */
export async function ensureCustomer(
  db: Database,
  calls: ProviderCalls,
  user: { id: string; email: string },
): Promise<string> {
  const stored = await findCustomer(db, user.id);
  if (stored) return stored;
  const created = await calls.createCustomer(user.id, user.email);
  await sql`
    insert into billing_customers (user_id, customer_id) values (${user.id}, ${created})
    on conflict (user_id) do nothing`.execute(db);
  return (await findCustomer(db, user.id)) ?? created;
}
