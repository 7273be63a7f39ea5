import { useQuery } from "@tanstack/react-query";
import { keptUntil } from "@whytrace/contract";
import { isSample } from "./base-path.ts";
import { retentionQuery } from "./retention-query.ts";

/** Returns a function that says when a trace is due to be deleted, in milliseconds; null if never, or while unknown. */
export function useKeptUntil(): (trace: { startedAt: string; createdAt: string }) => number | null {
  const { data } = useQuery({ ...retentionQuery, enabled: !isSample });
  return (trace) => (data ? keptUntil(trace, data) : null);
}
