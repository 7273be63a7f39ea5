import { useRef } from "react";

/** One look at a time: what is asked for during one is answered by one more after it, however often it was asked. */
export function useCoalescedRefetch(look: () => Promise<unknown>): () => void {
  const state = useRef({ isBusy: false, isAsked: false });
  return async function again() {
    const { current } = state;
    current.isAsked = true;
    if (current.isBusy) return;
    current.isBusy = true;
    while (current.isAsked) {
      current.isAsked = false;
      await look();
    }
    current.isBusy = false;
  };
}
