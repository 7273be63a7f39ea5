import type { ComparedRun } from "@whytrace/contract";
import { formatCost, formatCount, formatDuration } from "../../ui/format/format.ts";

interface Figure {
  label: string;
  select: (run: ComparedRun) => number | null;
  format: (value: number | null) => string;
  /** Whether more is worse, so that the difference has a colour. */
  isBad?: boolean;
}

/** The totals that are compared. */
export const FIGURES: Figure[] = [
  { label: "Duration", select: ({ durationMs }) => durationMs, format: formatDuration },
  { label: "Cost", select: ({ costUsd }) => costUsd, format: formatCost },
  { label: "Tokens", select: ({ tokens }) => tokens, format: formatCount },
  { label: "Spans", select: ({ spans }) => spans, format: formatCount },
  { label: "Decisions", select: ({ decisions }) => decisions, format: formatCount },
  { label: "Errors", select: ({ errors }) => errors, format: formatCount, isBad: true },
];
