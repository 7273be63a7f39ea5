import { useEffect, useState } from "react";
import { callPayloadWorker } from "./payload-client.ts";
import type { Conversation } from "./payload-protocol.ts";

/** The conversation in a span's payloads, without what an earlier span already held; null when there is none. */
export function useConversation(url: string, before: string | null) {
  const [state, setState] = useState<{ conversation: Conversation | null | undefined; error: Error | null }>({
    conversation: undefined,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is a new reading
  useEffect(() => {
    let isCurrent = true;
    setState({ conversation: undefined, error: null });
    callPayloadWorker("messages", { url, before }).then(
      (conversation) => isCurrent && setState({ conversation, error: null }),
      (error: unknown) =>
        isCurrent &&
        setState({ conversation: null, error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [url, before, attempt]);
  return { ...state, retry: () => setAttempt((count) => count + 1) };
}
