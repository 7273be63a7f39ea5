/** `1 day`, `30 days`. */
export const formatRetentionDays = (days: number) =>
  days === 1 ? "1 day" : `${days.toLocaleString("en")} days`;
