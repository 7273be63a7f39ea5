const DAY_MS = 24 * 3_600_000;

/** All UTC days of a range of whole days, as `2026-03-01`; the end does not count. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += DAY_MS)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days;
}

/** The range of one day, as filters of traces. */
export const startedOn = (day: string) => ({
  startedFrom: `${day}T00:00:00.000Z`,
  startedTo: new Date(Date.parse(day) + DAY_MS).toISOString(),
});
