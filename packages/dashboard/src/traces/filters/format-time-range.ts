const DATE_TIME = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** `3 Mar, 00:00 – 4 Mar, 00:00 UTC`: the clock of the charts that link to it. Either end may be open. */
export function formatTimeRange(
  fromInstant: string | undefined,
  toInstant: string | undefined,
): string | undefined {
  const [from, to] = [fromInstant, toInstant].map(
    (instant) => instant && DATE_TIME.format(Date.parse(instant)),
  );
  if (from && to) return `${from} – ${to} UTC`;
  if (from) return `from ${from} UTC`;
  return to && `until ${to} UTC`;
}
