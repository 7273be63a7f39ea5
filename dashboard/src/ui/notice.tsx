import type { ReactNode } from "react";
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

/** What went wrong where content should be, with a way to try again. */
export function Failure({
  error,
  onRetry,
}: {
  error: Error & { retryAfterSeconds?: number | undefined };
  onRetry: () => void;
}) {
  return (
    <div className="grid justify-items-start gap-3 p-6">
      <Notice tone="error">{error.message}</Notice>
      {error.retryAfterSeconds && <p className="text-muted">Try again in {error.retryAfterSeconds} s.</p>}
      <Button onClick={onRetry}>Retry</Button>
    </div>
  );
}

/** Nothing to show, and what to do about it. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-6 py-16 text-center">
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="grid justify-items-center gap-4 text-muted">{children}</div>
    </div>
  );
}
