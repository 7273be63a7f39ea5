/** "3 November". */
export const formatDay = (day: string): string =>
  new Date(day).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
