import type { Status } from "@whytrace/contract";

const LOOK: Record<Status, { label: string; tint: string; mark: string }> = {
  RUNNING: { label: "Running", tint: "[--tint:var(--color-running)]", mark: "" },
  COMPLETED: { label: "Completed", tint: "[--tint:var(--color-completed)]", mark: "✓" },
  ERROR: { label: "Error", tint: "[--tint:var(--color-error)]", mark: "✕" },
};

/** Shape and word beside the colour: never the colour alone. */
export function StatusIcon({ status }: { status: Status }) {
  const { label, tint, mark } = LOOK[status];
  const shape =
    status === "RUNNING"
      ? "border-[2.5px] border-[color-mix(in_oklab,var(--tint)_30%,transparent)] border-t-[var(--tint)] motion-safe:animate-spin"
      : "bg-[var(--tint)] text-bg";
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`inline-grid size-4 shrink-0 place-items-center rounded-full text-[10px] font-bold ${tint} ${shape}`}
    >
      {mark}
    </span>
  );
}

export function StatusBadge({ status }: { status: Status }) {
  const { label, tint } = LOOK[status];
  return (
    <span className={`tinted inline-flex rounded-[5px] px-1.5 text-xs font-semibold ${tint}`}>{label}</span>
  );
}
