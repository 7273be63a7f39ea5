import { useEffect, useState } from "react";
import { callPayloadWorker } from "./payload-client.ts";
import type { Conversation } from "./payload-protocol.ts";

/** The conversation in a span's payloads, without the messages of the previous span; null if there is none. */
export function useConversation(url: string, previousUrl: string | null) {
  const [state, setState] = useState<{ conversation: Conversation | null | undefined; error: Error | null }>({
    conversation: undefined,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt fetches again
  useEffect(() => {
    let isCurrent = true;
    setState({ conversation: undefined, error: null });
    callPayloadWorker("messages", { url, previousUrl }).then(
      (conversation) => isCurrent && setState({ conversation, error: null }),
      (error: unknown) =>
        isCurrent &&
        setState({ conversation: null, error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [url, previousUrl, attempt]);
  return { ...state, retry: () => setAttempt((count) => count + 1) };
}
