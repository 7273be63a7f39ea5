import { setTimeout as sleep } from "node:timers/promises";
import type { DecisionRow } from "@whytrace/contract";
import type { Api } from "./api.ts";

const POLL_INTERVAL_MS = 1_000;
const PAGE_SIZE = 100;
/** Bounds the memory for deduplication; far more than the decisions of one page. */
const MAX_SEEN = 20_000;

/** Yields the latest `initialCount` decisions, then new ones as they arrive, oldest first. */
export async function* watchDecisions(
  api: Api,
  initialCount: number,
  stopping: AbortSignal,
): AsyncGenerator<DecisionRow> {
  const seen = new Set<string>();
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    const { decisions } = (await api.get(`/api/decisions?limit=${PAGE_SIZE}`)) as {
      decisions: DecisionRow[];
    };
    const fresh = decisions.filter((decision) => !seen.has(keyOf(decision)));
    for (const decision of fresh) seen.add(keyOf(decision));
    for (const decision of (isFirst ? fresh.slice(0, initialCount) : fresh).reverse()) yield decision;
    for (const key of seen) {
      if (seen.size <= MAX_SEEN) break;
      seen.delete(key);
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

const keyOf = ({ traceId, id }: DecisionRow) => JSON.stringify([traceId, id]);
