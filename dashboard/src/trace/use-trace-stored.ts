import { useEffect, useRef } from "react";

const POLL_MS = 2_000;

/** Calls back whenever a trace that still runs may have been stored anew. */
export function useTraceStored(_traceId: string, isRunning: boolean, onStored: () => void) {
  const current = useRef(onStored);
  current.current = onStored;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") current.current();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
}
