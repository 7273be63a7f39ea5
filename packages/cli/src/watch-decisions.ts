import type { DecisionPointType, DecisionRow } from "@whytrace/contract";
import type { Api } from "./api.ts";
import { watchChanges } from "./watch-changes.ts";

const PAGE_SIZE = 100;
/** Bounds the memory for deduplication; far more than the decisions of one page. */
const MAX_SEEN = 20_000;

/** Yields the `last` decisions, of one type or of all, then new ones as they arrive, oldest first. */
export async function* watchDecisions(
  api: Api,
  { last, type }: { last: number; type: DecisionPointType | undefined },
  stopping: AbortSignal,
): AsyncGenerator<DecisionRow> {
  const query = { include: "outcome", limit: PAGE_SIZE, type } as const;
  const seen = new Set<string>();
  let isFirst = true;
  for await (const _ of watchChanges(api, stopping)) {
    const fresh: DecisionRow[] = [];
    // Later, a page without a known decision means that the next page may have new ones, too.
    for (let page = 1; fresh.length === (page - 1) * PAGE_SIZE && (page === 1 || !isFirst); page += 1) {
      const { decisions } = await api.call("GET /api/decisions", { query: { ...query, page } });
      fresh.push(...decisions.filter((decision) => !seen.has(keyOf(decision))));
    }
    for (const decision of fresh) seen.add(keyOf(decision));
    for (const decision of (isFirst ? fresh.slice(0, last) : fresh).reverse()) yield decision;
    for (const key of seen) {
      if (seen.size <= MAX_SEEN) break;
      seen.delete(key);
    }
    isFirst = false;
  }
}

const keyOf = ({ traceId, id }: DecisionRow) => JSON.stringify([traceId, id]);
