import type { Status } from "@whytrace/contract";

const APPEARANCE: Record<Status, { label: string; tint: string; symbol: string }> = {
  RUNNING: { label: "Running", tint: "[--tint:var(--color-running)]", symbol: "" },
  // Green is what went well. A run that completed may still be bad.
  COMPLETED: { label: "Completed", tint: "[--tint:var(--color-muted)]", symbol: "✓" },
  ERROR: { label: "Error", tint: "[--tint:var(--color-error)]", symbol: "✕" },
};

/** Status is shown by shape and label as well, never by colour alone. */
export function StatusIcon({ status }: { status: Status }) {
  const { label, tint, symbol } = APPEARANCE[status];
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
      {symbol}
    </span>
  );
}

export function StatusBadge({ status }: { status: Status }) {
  const { label, tint } = APPEARANCE[status];
  return (
    <span className={`tinted inline-flex rounded-[5px] px-1.5 text-xs font-semibold ${tint}`}>{label}</span>
  );
}
