import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./controls/button.tsx";

type Tone = "error" | "completed" | "retry";
const TONES: Record<Tone, string> = {
  error: "[--tint:var(--color-error)]",
  completed: "[--tint:var(--color-completed)]",
  retry: "[--tint:var(--color-retry)]",
};

/** A message that screen readers announce. */
export function Notice({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <div
      role={tone === "error" ? "alert" : "status"}
      className={`tinted rounded-md px-3 py-2 font-medium ${TONES[tone]}`}
    >
      {children}
    </div>
  );
}

interface ErrorNoticeProps {
  error: Error & { retryAfterSeconds?: number | undefined };
}

/** An error from the server, with a countdown if the server said when to retry. */
export function ErrorNotice({ error }: ErrorNoticeProps) {
  // The server's text also names the seconds; the countdown below replaces that sentence.
  const text = error.retryAfterSeconds ? error.message.replace(/ Try again in \d+ s\.$/, "") : error.message;
  return (
    <div className="grid justify-items-start gap-3">
      <Notice tone="error">{text}</Notice>
      {error.retryAfterSeconds && <RetryCountdown key={error.message} seconds={error.retryAfterSeconds} />}
    </div>
  );
}

function RetryCountdown({ seconds }: { seconds: number }) {
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  useEffect(() => {
    if (secondsLeft === 0) return;
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft]);
  return (
    <p className="text-muted">
      {secondsLeft > 0 ? `Try again in ${secondsLeft} s.` : "You can try again now."}
    </p>
  );
}

/** Replaces content that could not be loaded, with a button to retry. */
export function LoadError({ error, onRetry }: ErrorNoticeProps & { onRetry: () => void }) {
  return (
    <div className="grid justify-items-start gap-3 p-6">
      <ErrorNotice error={error} />
      <Button onClick={onRetry}>Retry</Button>
    </div>
  );
}

/** Replaces an empty list; the children say what to do next. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-6 py-16 text-center">
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="grid justify-items-center gap-4 text-muted">{children}</div>
    </div>
  );
}
