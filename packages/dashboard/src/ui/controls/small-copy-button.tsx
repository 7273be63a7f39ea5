import { useState } from "react";
import { copyText } from "../format/copy-text.ts";

/** Copies a text that is created asynchronously. */
export function SmallCopyButton({ label, text }: { label: string; text: () => Promise<string> }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const labels = { idle: "Copy", copied: "Copied", failed: "Copy failed" };
  return (
    <button
      type="button"
      aria-label={state === "idle" ? label : labels[state]}
      className="min-h-6 rounded px-1.5 text-xs text-muted hover:text-text"
      onBlur={() => setState("idle")}
      onClick={() =>
        void copyText(text).then(
          () => setState("copied"),
          () => setState("failed"),
        )
      }
    >
      <span aria-live="polite">{labels[state]}</span>
    </button>
  );
}
