import { useEffect, useEffectEvent, useRef, useState } from "react";
import { api } from "../client/api.ts";
import { answerChallenge } from "../client/passkeys/passkey-challenge.ts";

/** A challenge is valid for 5 minutes, so that one that waits in the address field is replaced before. */
const RENEW_MS = 4 * 60_000;

/** Signs in by passkey: the browser offers one in the address field, and the button asks for one. */
export function usePasskeySignIn({
  isOffered,
  onSignedIn,
}: {
  isOffered: boolean;
  onSignedIn: () => Promise<void>;
}) {
  const isSupported = isOffered && typeof PublicKeyCredential !== "undefined";
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  const offered = useRef<AbortController | null>(null);

  const signIn = async (options: { isConditional: boolean; signal: AbortSignal }) => {
    // Nobody hears of a passkey that could not be offered.
    let isAsked = !options.isConditional;
    try {
      const response = await answerChallenge(options);
      isAsked = true;
      setIsPending(true);
      await api("POST /api/auth/passkey", { body: { response } });
      await onSignedIn();
    } catch (reason) {
      const { passkeyError } = await import("../client/passkeys/passkey.ts");
      if (isAsked && !options.signal.aborted) setError(passkeyError(reason) ?? null);
    } finally {
      setIsPending(false);
    }
  };
  const offer = useEffectEvent(async (controller: AbortController) => {
    const { canOfferInField } = await import("../client/passkeys/passkey.ts");
    if ((await canOfferInField()) && !controller.signal.aborted)
      await signIn({ isConditional: true, signal: controller.signal });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round replaces the challenge
  useEffect(() => {
    if (!isSupported) return;
    const controller = new AbortController();
    offered.current = controller;
    void offer(controller);
    const timer = setTimeout(() => setRound((before) => before + 1), RENEW_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isSupported, round]);

  const start = () => {
    // The browser allows one request at a time.
    offered.current?.abort();
    setError(null);
    void signIn({ isConditional: false, signal: new AbortController().signal });
  };
  return { isSupported, isPending, error, start };
}
