import { useEffect, useRef } from "react";

const POLL_MS = 2_000;

/** Calls back whenever a trace that still runs may have been stored anew. */
export function useTraceStored(_traceId: string, isRunning: boolean, onStored: () => void) {
  const current = useRef(onStored);
  current.current = onStored;
  useEffect(() => {
    if (!isRunning) return;
    const look = () => {
      if (document.visibilityState === "visible") current.current();
    };
    const timer = setInterval(look, POLL_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [isRunning]);
}
