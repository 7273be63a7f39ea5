import type { ReactNode } from "react";
import { type CountedTraces, TraceCount } from "../traces/trace-count.tsx";

interface DecisionCountProps {
  decisions: number;
  /** Traces that contain these decisions: as many as the linked list shows. */
  runs: number;
  traces: CountedTraces;
  /** Says what happened to them, for example "failed". */
  what?: string;
  className?: string;
  /** Shown instead of the number of decisions. */
  children?: ReactNode;
}

const plural = (count: number, noun: string) =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** A number of decisions that links to their traces. If those are fewer, the link says how many it shows. */
export function DecisionCount({
  decisions,
  runs,
  traces,
  what = "",
  className = "relative z-1 underline decoration-dotted underline-offset-2 hover:decoration-solid",
  children,
}: DecisionCountProps) {
  const verb = what && ` ${what}`;
  const label =
    decisions === runs
      ? plural(runs, "run") + verb
      : `${plural(decisions, "decision")}${verb}, in ${plural(runs, "run")}`;
  const text = typeof children === "string" ? `${children}: ${label}` : label;
  if (runs === 0) return <span title={text}>{children ?? decisions.toLocaleString("en")}</span>;
  return (
    <TraceCount traces={traces} label={text} className={className}>
      {children ?? decisions.toLocaleString("en")}
    </TraceCount>
  );
}
