import type { Database } from "../db/database.ts";
import { directoryOf } from "../db/sharding.ts";
import { loadPriceList } from "../prices/price-list.ts";
import { NO_RULES, readPriceRules } from "../prices/price-rules.ts";
import { hasUsage, priceTrace } from "../prices/price-trace.ts";
import type { TenantBatch } from "./tenant-batch.ts";

/**
 * Computes the costs that were not sent. Reads the users' price rules only if a span says which model it called, or if a
 * trace is derived from pieces, of which earlier ones may say so.
 */
export async function priceTraces(trx: Database, tenants: TenantBatch[]): Promise<void> {
  const priced = tenants.filter(({ requests }) =>
    requests.some(({ traces, pieces }) => pieces.size > 0 || [...traces.values()].some(hasUsage)),
  );
  if (priced.length === 0) return;
  const [list, rules] = await Promise.all([
    loadPriceList(),
    readPriceRules(
      directoryOf(trx),
      priced.map(({ userId }) => userId),
    ),
  ]);
  for (const tenant of priced) {
    const prices = { list, rules: rules.get(tenant.userId) ?? NO_RULES };
    tenant.prices = prices;
    for (const { traces } of tenant.requests)
      for (const [id, trace] of traces) traces.set(id, priceTrace(trace, prices));
  }
}
