import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { loadPriceList } from "../../prices/price-list.ts";
import { NO_RULES, readPriceRules } from "../../prices/price-rules.ts";
import { hasUsage, type Prices, priceTrace } from "../../prices/price-trace.ts";
import type { LockedBatch } from "./lock-batch.ts";
import type { WorkspaceBatch } from "./workspace-batch.ts";

/**
 * Reads the prices of the workspaces that need some: if a span says which model it called, or if a trace is derived from
 * pieces, of which earlier ones may say so.
 */
export async function readPrices(
  trx: Database,
  batches: WorkspaceBatch[],
): Promise<ReadonlyMap<WorkspaceId, Prices>> {
  const workspaceIds = batches
    .filter(({ requests }) =>
      requests.some(({ traces, merge }) => merge?.pieces.size || [...traces.values()].some(hasUsage)),
    )
    .map(({ workspaceId }) => workspaceId);
  if (workspaceIds.length === 0) return new Map();
  const [list, rules] = await Promise.all([loadPriceList(), readPriceRules(trx.directory, workspaceIds)]);
  return new Map(workspaceIds.map((id) => [id, { list, rules: rules.get(id) ?? NO_RULES }]));
}

/** Computes the costs that were not sent with whole traces. Those of pieces are computed when they are merged. */
export const priceTraces = (batch: LockedBatch, prices: Prices): LockedBatch => ({
  ...batch,
  requests: batch.requests.map((one) => ({
    ...one,
    traces: one.traces.map((trace) => priceTrace(trace, prices)),
  })),
});
