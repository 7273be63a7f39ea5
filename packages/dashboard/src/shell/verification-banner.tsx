import { useMutation, useQuery } from "@tanstack/react-query";
import type { MailDelivery } from "@whytrace/contract";
import { useEffect, useState } from "react";
import { ApiError, api } from "../client/api.ts";
import { registrationQuery } from "../client/registration-query.ts";
import { useUser } from "../client/session.ts";
import { Button } from "../ui/controls/button.tsx";

const RESEND_DELAY_SECONDS = 60;

const TEXTS: Record<MailDelivery, (email: string) => string> = {
  smtp: (email) => `Confirm your email: we sent a link to ${email}.`,
  log: (email) => `Confirm your email: this server sends no mail. The link for ${email} is in its log.`,
  none: (email) => `${email} is not confirmed: this server sends no mail, so there is no link for it.`,
};

/** Shown on every page until the email address is confirmed. */
export function VerificationBanner() {
  const user = useUser();
  const [waitSeconds, setWaitSeconds] = useState(0);
  const resend = useMutation({
    mutationFn: () => api("POST /api/auth/resend-verification"),
    onSuccess: () => setWaitSeconds(RESEND_DELAY_SECONDS),
    onError: (error) => setWaitSeconds(error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0),
  });
  useEffect(() => {
    if (waitSeconds === 0) return;
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1_000);
    return () => clearTimeout(timer);
  }, [waitSeconds]);
  const { data: registration } = useQuery({ ...registrationQuery, enabled: !user.isEmailVerified });
  if (user.isEmailVerified || !registration) return null;
  const { mail } = registration;
  return (
    <aside
      aria-label="Email not confirmed"
      className="tinted flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 [--tint:var(--color-retry)]"
    >
      <span className="font-medium">{TEXTS[mail](user.email)}</span>
      {mail !== "none" && (
        <>
          <Button disabled={waitSeconds > 0 || resend.isPending} onClick={() => resend.mutate()}>
            {waitSeconds > 0 ? `Resend in ${waitSeconds} s` : "Resend"}
          </Button>
          <span aria-live="polite">
            {resend.isSuccess
              ? mail === "smtp"
                ? "Sent."
                : "Written to the log."
              : (resend.error?.message ?? "")}
          </span>
        </>
      )}
    </aside>
  );
}
