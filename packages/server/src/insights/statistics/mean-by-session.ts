import { effectiveSessions } from "./hypothesis-tests/effective-sessions.ts";

/** A value of one run, and what runs that belong together share. */
export interface SessionValue {
  session: string;
  value: number;
}

export interface MeanBySession {
  count: number;
  sessions: number;
  /** How many sessions of equal size would tell as much. */
  effectiveSessions: number;
  mean: number;
  /** The variance of the mean, in which runs of a session count together. */
  variance: number;
}

/**
 * The mean of runs' values, and how uncertain it is: the linearised variance of a ratio of session totals. A session of twenty
 * runs that are alike tells little more than one run.
 */
export function meanBySession(values: Iterable<SessionValue>): MeanBySession {
  const totals = new Map<string, { count: number; sum: number }>();
  let [count, sum] = [0, 0];
  for (const { session, value } of values) {
    const total = totals.get(session) ?? { count: 0, sum: 0 };
    totals.set(session, total);
    total.count += 1;
    total.sum += value;
    count += 1;
    sum += value;
  }
  const mean = count === 0 ? 0 : sum / count;
  let [spread, squares] = [0, 0];
  for (const total of totals.values()) {
    spread += (total.sum - mean * total.count) ** 2;
    squares += total.count ** 2;
  }
  const sessions = totals.size;
  return {
    count,
    sessions,
    effectiveSessions: effectiveSessions(count, squares),
    mean,
    variance: sessions < 2 ? Number.POSITIVE_INFINITY : ((sessions / (sessions - 1)) * spread) / count ** 2,
  };
}
