import { useContext, useEffect, useRef, useState } from "react";
import { callPayloadWorker } from "./payload-client.ts";
import type { Conversation, ShownBefore } from "./payload-protocol.ts";
import { PayloadTime } from "./payload-time.ts";

interface ConversationState {
  conversation: Conversation | null | undefined;
  error: Error | null;
}

const NOTHING: ShownBefore = { previousUrls: [], requestUrl: null };
const LOADING: ConversationState = { conversation: undefined, error: null };

/** The conversation in a span's payloads, without the messages of calls before; null if there is none. Not read without a URL. */
export function useConversation(url: string | null, seen: ShownBefore = NOTHING) {
  // The object is a new one at each call.
  const before = JSON.stringify(seen);
  const fetchedSinceMs = useContext(PayloadTime);
  const [state, setState] = useState(LOADING);
  const [attempt, setAttempt] = useState(0);
  const shown = useRef("");
  useEffect(() => {
    let isCurrent = true;
    // When only the time has changed, the conversation stays until its new version is there.
    const request = JSON.stringify([url, before, attempt]);
    if (shown.current !== request) setState(LOADING);
    shown.current = request;
    if (url === null) return;
    callPayloadWorker("messages", { url, ...(JSON.parse(before) as ShownBefore), fetchedSinceMs }).then(
      (conversation) => isCurrent && setState({ conversation, error: null }),
      (error: unknown) =>
        isCurrent &&
        setState({ conversation: null, error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [url, before, attempt, fetchedSinceMs]);
  return { ...state, retry: () => setAttempt((count) => count + 1) };
}
