import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Provider } from "./provider.ts";
import { syncSubscription } from "./sync-subscription.ts";

const BATCH_SIZE = 20;

interface DailyReconciliation {
  db: Database;
  provider: Provider;
  freeSessionsPerDay: number;
  stopping: AbortSignal;
}

/** Compares every subscription with the provider's once a day. Processes claim customers, so each is read once. */
export async function reconcileDaily({ db, provider, freeSessionsPerDay, stopping }: DailyReconciliation) {
  let customers: { customerId: string }[];
  do {
    ({ rows: customers } = await sql<{ customerId: string }>`
      update billing_customers set reconciled_at = now()
      where workspace_id in (
        select workspace_id from billing_customers where reconciled_at < now() - interval '1 day'
        limit ${BATCH_SIZE} for update skip locked)
      returning customer_id`.execute(db));
    for (const { customerId } of customers)
      if (!stopping.aborted)
        await syncSubscription({ db, calls: provider.withinDeadline(), freeSessionsPerDay }, customerId);
  } while (customers.length === BATCH_SIZE && !stopping.aborted);
}
