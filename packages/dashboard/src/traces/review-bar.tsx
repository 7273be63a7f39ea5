import type { TraceRow } from "@whytrace/contract";
import { useState } from "react";
import { type GivenReview, useSaveReview } from "../scores/use-save-review.ts";
import { Button } from "../ui/controls/button.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";

interface ReviewBarProps {
  /** The last review that was given. */
  review: GivenReview | undefined;
  rows: readonly TraceRow[];
}

const WORDS = new Map([
  [true, "Good"],
  [false, "Bad"],
  [null, "Review taken back"],
]);

/** The last review that was given in the list, and a way back. */
export function ReviewBar({ review, rows }: ReviewBarProps) {
  const save = useSaveReview();
  const [closedMs, setClosedMs] = useState(0);
  const row = rows.find(({ id }) => id === review?.traceId);
  const shown = review && row && review.atMs > closedMs ? { ...review, name: row.name } : undefined;
  return (
    <section
      aria-label="Review"
      className={
        shown
          ? "sticky bottom-0 z-[2] flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-bg px-4 py-2"
          : ""
      }
    >
      <p role="status" className="line-clamp-2 min-w-0 basis-full sm:flex-1 sm:basis-0">
        {shown && (
          <>
            <span className={`font-semibold ${shown.value === false ? "text-error" : ""}`}>
              {shown.status === "failed" ? "Not saved" : WORDS.get(shown.value)}
            </span>
            : {shown.name}{" "}
            <span className="text-muted">
              {shown.status === "pending" ? (
                "· saving…"
              ) : shown.status === "failed" ? (
                `· ${shown.error?.message}`
              ) : (
                <>
                  · by you, <RelativeTime instant={new Date(shown.atMs).toISOString()} />
                </>
              )}
            </span>
          </>
        )}
      </p>
      {shown?.status === "saved" && shown.before !== shown.value && (
        <Button onClick={() => save({ traceId: shown.traceId, value: shown.before ?? null })}>Undo</Button>
      )}
      {shown && shown.status !== "pending" && <Button onClick={() => setClosedMs(shown.atMs)}>Close</Button>}
    </section>
  );
}
