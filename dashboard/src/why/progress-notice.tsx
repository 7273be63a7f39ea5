import type { InsightsProgress } from "@whytrace/contract";

/** Says that the counts are not complete yet. They grow by themselves. */
export function ProgressNotice({ progress }: { progress: InsightsProgress | undefined }) {
  if (!progress) return null;
  const { daysLeft, tracesLeft } = progress;
  const parts = [
    ...(daysLeft > 0 ? [`${daysLeft} ${daysLeft === 1 ? "day" : "days"}`] : []),
    ...(tracesLeft > 0
      ? [`${tracesLeft.toLocaleString("en")}${tracesLeft >= 10_000 ? " or more" : ""} traces`]
      : []),
  ];
  return (
    <p role="status" className="border-b border-line bg-panel px-4 py-2 text-xs text-muted">
      Still counting: {parts.join(" and ")} left. The numbers grow by themselves.
    </p>
  );
}
