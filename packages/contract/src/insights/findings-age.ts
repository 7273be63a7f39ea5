import type { Findings } from "../schemas/insights/findings.ts";

const UNITS = [
  ["day", 24 * 60],
  ["hour", 60],
  ["minute", 1],
] as const;
const MINUTE_MS = 60_000;

/** How old a list of findings is. Undefined if there are no runs, so that nothing was computed. */
export function findingsAge({ computedAt }: Pick<Findings, "computedAt">, nowMs: number): string | undefined {
  if (computedAt === null) return undefined;
  const minutes = Math.floor((nowMs - Date.parse(computedAt)) / MINUTE_MS);
  const [unit, length] = UNITS.find((one) => minutes >= one[1]) ?? [];
  if (unit === undefined) return "Computed just now.";
  const count = Math.floor(minutes / length);
  return `Computed ${count} ${unit}${count === 1 ? "" : "s"} ago: later runs are not counted.`;
}
