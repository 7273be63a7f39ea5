import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, api } from "../client/api.ts";
import { useUser } from "../client/session.ts";
import { Button } from "../ui/button.tsx";

const RESEND_DELAY_SECONDS = 60;

/** Shown on every page until the email address is confirmed. */
export function VerificationBanner() {
  const user = useUser();
  const [waitSeconds, setWaitSeconds] = useState(0);
  const resend = useMutation({
    mutationFn: () => api("/api/auth/resend-verification", { method: "POST" }),
    onSuccess: () => setWaitSeconds(RESEND_DELAY_SECONDS),
    onError: (error) => setWaitSeconds(error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0),
  });
  useEffect(() => {
    if (waitSeconds === 0) return;
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1_000);
    return () => clearTimeout(timer);
  }, [waitSeconds]);
  if (user.isEmailVerified) return null;
  return (
    <aside
      aria-label="Email not confirmed"
      className="tinted flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 [--tint:var(--color-retry)]"
    >
      <span className="font-medium">Confirm your email: we sent a link to {user.email}.</span>
      <Button disabled={waitSeconds > 0 || resend.isPending} onClick={() => resend.mutate()}>
        {waitSeconds > 0 ? `Resend in ${waitSeconds} s` : "Resend"}
      </Button>
      <span aria-live="polite">{resend.isSuccess ? "Sent." : (resend.error?.message ?? "")}</span>
    </aside>
  );
}
