import { setTimeout as sleep } from "node:timers/promises";
import type { DecisionRow } from "@whytrace/contract";
import type { Api } from "./api.ts";

const PAUSE_MS = 1_000;
const PAGE = 100;
/** Of those seen, so many are remembered: more than a page can show again. */
const REMEMBERED = 20_000;

/** Decisions as they arrive, the oldest of each round first; before them, the `past` latest ones. */
export async function* watchDecisions(
  api: Api,
  past: number,
  stopping: AbortSignal,
): AsyncGenerator<DecisionRow> {
  const seen = new Set<string>();
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    const { decisions } = (await api.get(`/api/decisions?limit=${PAGE}`)) as { decisions: DecisionRow[] };
    const fresh = decisions.filter((decision) => !seen.has(keyOf(decision)));
    for (const decision of fresh) seen.add(keyOf(decision));
    for (const decision of (isFirst ? fresh.slice(0, past) : fresh).reverse()) yield decision;
    for (const key of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(key);
    }
    await sleep(PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

const keyOf = ({ traceId, id }: DecisionRow) => JSON.stringify([traceId, id]);
