import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.tsx";

type Tone = "error" | "completed" | "retry";
const TONES: Record<Tone, string> = {
  error: "[--tint:var(--color-error)]",
  completed: "[--tint:var(--color-completed)]",
  retry: "[--tint:var(--color-retry)]",
};

/** Something the person should read, said aloud by screen readers. */
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

/** What the server refused, in its words, and when it is worth another try. */
export function ErrorNotice({ error }: ErrorNoticeProps) {
  // The server's own words name the seconds too, but they do not count.
  const text = error.retryAfterSeconds ? error.message.replace(/ Try again in \d+ s\.$/, "") : error.message;
  return (
    <div className="grid justify-items-start gap-3">
      <Notice tone="error">{text}</Notice>
      {error.retryAfterSeconds && <Wait key={error.message} seconds={error.retryAfterSeconds} />}
    </div>
  );
}

function Wait({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return <p className="text-muted">{left > 0 ? `Try again in ${left} s.` : "You can try again now."}</p>;
}

/** What went wrong where content should be, with a way to try again. */
export function LoadError({ error, onRetry }: ErrorNoticeProps & { onRetry: () => void }) {
  return (
    <div className="grid justify-items-start gap-3 p-6">
      <ErrorNotice error={error} />
      <Button onClick={onRetry}>Retry</Button>
    </div>
  );
}

/** Nothing to show, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-6 py-16 text-center">
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="grid justify-items-center gap-4 text-muted">{children}</div>
    </div>
  );
}
