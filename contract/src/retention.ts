import type { Tier } from "./tiers.ts";

export const MAX_RETENTION_DAYS = 36_500;

const DAY_MS = 86_400_000;

/** How long a user's traces are kept. A number of days is null if there is no limit. */
export interface Retention {
  /** In force now: the smallest of the three limits. */
  days: number | null;
  /** What the user chose. */
  chosenDays: number | null;
  /** The limit of the plan and of the installation; the user may choose as many days or fewer. */
  maxDays: number | null;
  /** Set after a change of plan: from this time on, so many days are in force. */
  planned: { days: number; from: string } | null;
  /** The limit of each plan and of the installation. */
  plans: { tier: Tier; days: number | null }[];
}

interface KeptTrace {
  startedAt: string;
  createdAt: string;
}

/**
 * When a trace is due to be deleted, in milliseconds; null if never. Its days count from its start, or from when it was
 * stored if that was later.
 */
export function keptUntil(
  { startedAt, createdAt }: KeptTrace,
  { days, planned }: Pick<Retention, "days" | "planned">,
): number | null {
  const fromMs = Math.max(Date.parse(startedAt), Date.parse(createdAt));
  const nowMs = days === null ? Number.POSITIVE_INFINITY : fromMs + days * DAY_MS;
  const plannedMs = planned
    ? Math.max(fromMs + planned.days * DAY_MS, Date.parse(planned.from))
    : Number.POSITIVE_INFINITY;
  const untilMs = Math.min(nowMs, plannedMs);
  return untilMs === Number.POSITIVE_INFINITY ? null : untilMs;
}
