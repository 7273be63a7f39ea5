import { useRef } from "react";

/**
 * Runs one refetch at a time. Calls during a refetch, or within the minimum interval after it, are coalesced into one
 * more refetch.
 */
export function useCoalescedRefetch(refetch: () => Promise<unknown>, minIntervalMs = 0): () => void {
  const state = useRef({ isRunning: false, isRequested: false });
  return async function refetchCoalesced() {
    const { current } = state;
    current.isRequested = true;
    if (current.isRunning) return;
    current.isRunning = true;
    while (current.isRequested) {
      current.isRequested = false;
      await refetch();
      if (minIntervalMs > 0) await new Promise((resolve) => setTimeout(resolve, minIntervalMs));
    }
    current.isRunning = false;
  };
}
