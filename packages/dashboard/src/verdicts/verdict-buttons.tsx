import { useRef } from "react";
import { Author } from "../shell/author.tsx";
import { Kbd } from "../ui/badges.tsx";
import { buttonStyle, pressedStyle } from "../ui/controls/button.tsx";
import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { ErrorNotice } from "../ui/notice.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { ShouldHaveBeen } from "./should-have-been.tsx";
import { useVerdict } from "./use-verdict.ts";
import { VerdictNote } from "./verdict-note.tsx";

interface VerdictButtonsProps {
  traceId: string;
  decisionPointId: string;
  /** The names of the options that were not chosen. */
  alternatives: string[];
  /** Its rank among the suspects of an error, if it is shown there. */
  suspectRank?: number | undefined;
  /** Whether the keys 1, 2 and 3 judge this decision. Only one decision of a page can have them. */
  hasKeys: boolean;
}

/** Says whether a decision was right. It is saved at once. */
export function VerdictButtons(props: VerdictButtonsProps) {
  const { traceId, decisionPointId, alternatives, suspectRank, hasKeys } = props;
  const { given, savedAt, savedBy, isLoading, error, save } = useVerdict({
    traceId,
    decisionPointId,
    suspectRank,
  });
  const right = useRef<HTMLButtonElement>(null);
  const select = useRef<HTMLSelectElement>(null);
  const note = given?.note ?? null;
  const judge = (verdict: "right" | "wrong", shouldHaveBeen: string | null = null) =>
    save({ verdict, shouldHaveBeen, note });
  useShortcuts(
    hasKeys
      ? {
          "1": () => judge("right"),
          "2": () => judge("wrong"),
          "3": () => openPicker(select.current),
        }
      : {},
  );
  const undo = () => {
    save(null);
    // The button is about to disappear.
    right.current?.focus();
  };
  const isWrong = given?.verdict === "wrong";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot stand in the row of its buttons
    <div role="group" aria-label="Verdict" aria-busy={isLoading} className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <button
          ref={right}
          type="button"
          aria-pressed={given?.verdict === "right"}
          className={`${buttonStyle()} ${given?.verdict === "right" ? pressedStyle : ""}`}
          onClick={() => judge("right")}
        >
          <span aria-hidden="true">✓</span> Right {hasKeys && <Kbd>1</Kbd>}
        </button>
        <button
          type="button"
          aria-pressed={isWrong && !given.shouldHaveBeen}
          className={`${buttonStyle()} ${isWrong && !given.shouldHaveBeen ? pressedStyle : ""}`}
          onClick={() => judge("wrong")}
        >
          <span aria-hidden="true">✕</span> Wrong {hasKeys && <Kbd>2</Kbd>}
        </button>
        {alternatives.length > 0 && (
          <ShouldHaveBeen
            ref={select}
            alternatives={alternatives}
            value={given?.shouldHaveBeen ?? null}
            pressedStyle={pressedStyle}
            hasKey={hasKeys}
            onChange={(option) => judge("wrong", option)}
          />
        )}
      </div>
      {given && (
        <VerdictNote
          note={note}
          onSave={(text) =>
            save({ verdict: given.verdict, shouldHaveBeen: given.shouldHaveBeen ?? null, note: text || null })
          }
        />
      )}
      {given && !error && (
        <p role="status" className="text-xs text-muted">
          {savedAt ? (
            <>
              Saved{" "}
              {savedBy && (
                <>
                  by <Author person={savedBy} />{" "}
                </>
              )}
              <RelativeTime instant={savedAt} />. It counts in the scorecard and in the exported dataset.{" "}
            </>
          ) : (
            "Saving… "
          )}
          <button
            type="button"
            className="font-medium text-accent hover:underline max-sm:min-h-11"
            onClick={undo}
          >
            Undo
          </button>
        </p>
      )}
      {error && <ErrorNotice error={error} />}
    </div>
  );
}

/** Browsers without `showPicker` let the user open the focused list with the arrow keys. */
function openPicker(select: HTMLSelectElement | null) {
  if (!select) return;
  select.focus();
  try {
    select.showPicker?.();
  } catch {
    // Not allowed without a gesture of the user, or not visible: the focus is enough.
  }
}
