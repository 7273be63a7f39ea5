import { useRef } from "react";

/** Runs one refetch at a time. Calls during a refetch are coalesced into one more refetch after it. */
export function useCoalescedRefetch(refetch: () => Promise<unknown>): () => void {
  const state = useRef({ isRunning: false, isRequested: false });
  return async function refetchCoalesced() {
    const { current } = state;
    current.isRequested = true;
    if (current.isRunning) return;
    current.isRunning = true;
    while (current.isRequested) {
      current.isRequested = false;
      await refetch();
    }
    current.isRunning = false;
  };
}
