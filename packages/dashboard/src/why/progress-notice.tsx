import type { Findings, InsightsProgress } from "@whytrace/contract";

interface ProgressNoticeProps {
  progress: InsightsProgress | Findings["progress"] | undefined;
}

/** Says that the counts are not complete yet. They grow by themselves. */
export function ProgressNotice({ progress }: ProgressNoticeProps) {
  if (!progress) return null;
  const parts = [
    ...("daysLeft" in progress ? counted(progress.daysLeft, "day") : counted(progress.agentsLeft, "agent")),
    ...(progress.tracesLeft >= MANY_TRACES
      ? [`${MANY_TRACES.toLocaleString("en")} or more traces`]
      : counted(progress.tracesLeft, "trace")),
  ];
  return (
    <p role="status" className="border-b border-line bg-panel px-4 py-2 text-xs text-muted">
      Still counting: {parts.join(" and ")} left. The numbers grow by themselves.
    </p>
  );
}

/** The server does not count more. */
const MANY_TRACES = 10_000;

const counted = (count: number, noun: string) =>
  count === 0 ? [] : [`${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`];
