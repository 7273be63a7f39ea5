import { UNLIMITED_SESSIONS } from "@whytrace/contract";
import type { Config } from "../config.ts";

interface Log {
  info(fields: object, text: string): void;
}

/** A private server may not want the limit of a public one, which the interface has as its default. */
export function sayDailyLimit(
  { stripe, freeSessionsPerDay }: Pick<Config, "stripe" | "freeSessionsPerDay">,
  log: Log,
): void {
  if (stripe || freeSessionsPerDay === UNLIMITED_SESSIONS) return;
  log.info(
    { freeSessionsPerDay },
    "workspaces have a daily limit, and this server sells no plans: FREE_SESSIONS_PER_DAY=unlimited lifts it",
  );
}
