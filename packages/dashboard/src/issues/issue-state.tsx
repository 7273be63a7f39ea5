import type { IssueState as State } from "@whytrace/contract";

const TINTS: Record<State, string> = {
  new: "[--tint:var(--color-running)]",
  ongoing: "[--tint:var(--color-muted)]",
  regressed: "[--tint:var(--color-error)]",
  resolved: "[--tint:var(--color-completed)]",
  ignored: "[--tint:var(--color-muted)]",
};
const WORDS: Record<State, string> = {
  new: "New",
  ongoing: "Ongoing",
  regressed: "Regressed",
  resolved: "Resolved",
  ignored: "Ignored",
};

/** The state of an issue: a dot and the word, hollow if nobody has to look at it. */
export function IssueState({ state }: { state: State }) {
  const isHollow = state === "ignored" || state === "resolved";
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap font-semibold text-[var(--tint)] ${TINTS[state]}`}
    >
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full border-2 border-[var(--tint)] ${isHollow ? "" : "bg-[var(--tint)]"}`}
      />
      {WORDS[state]}
    </span>
  );
}
