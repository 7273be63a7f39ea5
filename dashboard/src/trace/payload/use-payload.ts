import { useCallback, useEffect, useRef, useState } from "react";
import { callPayloadWorker, newDocumentId } from "./payload-client.ts";
import type { DocumentState } from "./payload-protocol.ts";

export interface Payload {
  doc: number;
  state: DocumentState | null;
  error: Error | null;
  setState: (state: DocumentState) => void;
  retry: () => void;
}

/** Opens a payload in the worker while the component is mounted. */
export function usePayload(url: string, pick: string | null, columns: number): Payload {
  const [doc, setDoc] = useState(newDocumentId);
  const [state, setState] = useState<DocumentState | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const latestColumns = useRef(columns);
  latestColumns.current = columns;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt fetches again
  useEffect(() => {
    const opening = newDocumentId();
    let isCurrent = true;
    setError(null);
    callPayloadWorker("open", { url, pick, doc: opening, columns: latestColumns.current }).then(
      (opened) => {
        if (!isCurrent) return void callPayloadWorker("close", { doc: opening });
        setDoc(opening);
        setState(opened);
      },
      (reason: unknown) => {
        if (isCurrent) setError(reason instanceof Error ? reason : new Error(String(reason)));
      },
    );
    return () => {
      isCurrent = false;
      void callPayloadWorker("close", { doc: opening });
      setState(null);
    };
  }, [url, pick, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { doc, state, error, setState, retry };
}
