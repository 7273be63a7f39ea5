import { RelativeTime } from "../ui/relative-time.tsx";
import type { useReview } from "./use-review.ts";

const WORDS = new Map([
  [true, "Good"],
  [false, "Bad"],
  [null, "Taken back"],
]);

/** Who reviewed the run, when and how, and a way back. Null if nobody has. */
export function ReviewLine({ review }: { review: ReturnType<typeof useReview> }) {
  const { value, isSaving, error, givenAt, save, undo } = review;
  if (error) return <span className="text-error">Not saved: {error.message}</span>;
  return (
    <span className={value === false ? "text-error" : ""}>
      {WORDS.get(value)}
      <span className="text-xs font-normal text-muted">
        {isSaving ? (
          " · saving…"
        ) : (
          <>
            {value !== null && givenAt !== undefined && (
              <>
                {" by you, "}
                <RelativeTime instant={givenAt} />
              </>
            )}
            {" · "}
            <button
              type="button"
              className="font-medium text-accent hover:underline"
              onClick={undo ?? (() => save(null))}
            >
              {undo ? "Undo" : "Take back"}
            </button>
          </>
        )}
      </span>
    </span>
  );
}
