export const MAX_RETENTION_DAYS = 36_500;

const DAY_MS = 86_400_000;

interface KeptTrace {
  startedAt: string;
  createdAt: string;
}

/** For how many days traces are kept, now and from a time on; null means without a limit. */
interface KeptDays {
  days: number | null;
  planned: { days: number; from: string } | null;
}

/**
 * When a trace is due to be deleted, in milliseconds; null if never. Its days count from its start, or from when it was
 * stored if that was later.
 */
export function keptUntil({ startedAt, createdAt }: KeptTrace, { days, planned }: KeptDays): number | null {
  const fromMs = Math.max(Date.parse(startedAt), Date.parse(createdAt));
  const nowMs = days === null ? Number.POSITIVE_INFINITY : fromMs + days * DAY_MS;
  const plannedMs = planned
    ? Math.max(fromMs + planned.days * DAY_MS, Date.parse(planned.from))
    : Number.POSITIVE_INFINITY;
  const untilMs = Math.min(nowMs, plannedMs);
  return untilMs === Number.POSITIVE_INFINITY ? null : untilMs;
}
