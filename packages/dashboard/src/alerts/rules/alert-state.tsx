import type { AlertRule } from "../model/alert-types.ts";
import { STATE_WORDS } from "../model/rule-words.ts";

const TINTS: Record<AlertRule["state"], string> = {
  ok: "[--tint:var(--color-completed)]",
  firing: "[--tint:var(--color-error)]",
  no_data: "[--tint:var(--color-muted)]",
};

/** The state of a rule: a dot and the word. */
export function AlertState({ state }: { state: AlertRule["state"] }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap font-semibold text-[var(--tint)] ${TINTS[state]}`}
    >
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full border-2 border-[var(--tint)] ${state === "no_data" ? "" : "bg-[var(--tint)]"}`}
      />
      {STATE_WORDS[state]}
    </span>
  );
}
