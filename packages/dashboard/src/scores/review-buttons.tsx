import { Kbd } from "../ui/badges.tsx";
import { buttonStyle, pressedStyle } from "../ui/controls/button.tsx";
import { ThumbIcon } from "../ui/thumb-icon.tsx";
import { useReview } from "./use-review.ts";

const CHOICES = [
  { value: true, label: "Good", hotkey: "+" },
  { value: false, label: "Bad", hotkey: "−" },
] as const;

/** Says whether the run was good or bad. A second click takes it back. */
export function ReviewButtons({ traceId }: { traceId: string }) {
  const { value: given, save } = useReview(traceId);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot stand in the row of its buttons
    <div role="group" aria-label="Your review" className="flex items-center gap-2">
      <span aria-hidden="true" className="whitespace-nowrap text-xs text-muted max-2xl:hidden">
        Your review
      </span>
      {CHOICES.map(({ value, label, hotkey }) => (
        <button
          key={label}
          type="button"
          aria-pressed={given === value}
          title={given === value ? "Take it back (0)" : undefined}
          className={`${buttonStyle()} ${given === value ? pressedStyle : ""}`}
          onClick={() => save(given === value ? null : value)}
        >
          <ThumbIcon isUp={value} />
          <span className="max-sm:sr-only">{label}</span>
          <span className="max-xl:hidden">
            <Kbd>{hotkey}</Kbd>
          </span>
        </button>
      ))}
    </div>
  );
}
