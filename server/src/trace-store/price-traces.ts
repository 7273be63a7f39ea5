import type { Database } from "../db/database.ts";
import { loadPriceList } from "../prices/price-list.ts";
import { NO_RULES, readPriceRules } from "../prices/price-rules.ts";
import { hasUsage, priceTrace } from "../prices/price-trace.ts";
import type { TenantBatch } from "./tenant-batch.ts";

/** Computes the costs that were not sent. Reads the users' price rules only if a span says which model it called. */
export async function priceTraces(trx: Database, tenants: TenantBatch[]): Promise<void> {
  const priced = tenants.filter(({ requests }) =>
    requests.some(({ traces }) => [...traces.values()].some(hasUsage)),
  );
  if (priced.length === 0) return;
  const [list, rules] = await Promise.all([
    loadPriceList(),
    readPriceRules(
      trx,
      priced.map(({ userId }) => userId),
    ),
  ]);
  for (const { userId, requests } of priced) {
    const prices = { list, rules: rules.get(userId) ?? NO_RULES };
    for (const { traces } of requests)
      for (const [id, trace] of traces) traces.set(id, priceTrace(trace, prices));
  }
}
