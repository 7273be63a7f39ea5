import type { InsightsRange } from "@whytrace/contract";

const DAY = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

/** `17 Oct to 15 Nov`: the first and the last day that were counted, in UTC. */
export const formatDays = ({ from, to }: Pick<InsightsRange, "from" | "to">) =>
  `${DAY.format(Date.parse(from))} to ${DAY.format(Date.parse(to) - 1)}`;

export const formatDay = (day: string) => DAY.format(Date.parse(day));
