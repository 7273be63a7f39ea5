import { useCallback, useContext, useEffect, useRef, useState } from "react";
import { callPayloadWorker, newDocumentId } from "./payload-client.ts";
import type { DocumentState } from "./payload-protocol.ts";
import { PayloadTime } from "./payload-time.ts";

export interface Payload {
  doc: number;
  state: DocumentState | null;
  error: Error | null;
  setState: (state: DocumentState) => void;
  /** Shows an error instead of the payload, with a button that calls `retry`. */
  fail: (reason: unknown) => void;
  retry: () => void;
}

/** Opens a payload in the worker while the component is mounted, and updates it when the trace has changed. */
export function usePayload(url: string, pick: string | null, columns: number): Payload {
  const fetchedSinceMs = useContext(PayloadTime);
  const [doc, setDoc] = useState(newDocumentId);
  const [state, setState] = useState<DocumentState | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ fetchedSinceMs, columns });
  latest.current = { fetchedSinceMs, columns };
  const openedSinceMs = useRef(0);
  const fail = useCallback(
    (reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt fetches again
  useEffect(() => {
    const opening = newDocumentId();
    let isCurrent = true;
    setError(null);
    openedSinceMs.current = latest.current.fetchedSinceMs;
    callPayloadWorker("open", { url, pick, doc: opening, ...latest.current }).then(
      (opened) => {
        if (!isCurrent) return close(opening);
        setDoc(opening);
        setState(opened);
      },
      (reason: unknown) => isCurrent && fail(reason),
    );
    return () => {
      isCurrent = false;
      close(opening);
      setState(null);
    };
  }, [url, pick, attempt, fail]);
  const isOpen = state !== null;
  useEffect(() => {
    if (!isOpen || openedSinceMs.current >= fetchedSinceMs) return;
    let isCurrent = true;
    openedSinceMs.current = fetchedSinceMs;
    callPayloadWorker("update", { url, pick, doc, ...latest.current }).then(
      (updated) => isCurrent && updated && setState(updated),
      (reason: unknown) => isCurrent && fail(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [url, pick, doc, isOpen, fetchedSinceMs, fail]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { doc, state, error, setState, fail, retry };
}

/** A worker that has stopped has closed its documents. */
const close = (doc: number) => void callPayloadWorker("close", { doc }).catch(() => {});
