import type { TracePreview, TraceRow } from "@whytrace/contract";
import { errorText } from "./error-text.ts";

/** What tells a row from others of the same name: the error of a bad run, else what was asked. */
export function PreviewLine({ trace, preview }: { trace: TraceRow; preview: TracePreview | undefined }) {
  const isBad = trace.outcome === undefined ? trace.status === "ERROR" : trace.outcome === "bad";
  const error = isBad && preview ? errorText(preview) : null;
  const text = error ?? preview?.input ?? null;
  return (
    <span
      data-preview
      title={text ?? undefined}
      className={`block h-4 truncate pl-6 text-xs leading-4 ${error === null ? "text-muted" : "text-error"}`}
    >
      {text}
    </span>
  );
}
