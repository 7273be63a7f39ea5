import { z } from "zod";
import { MAX_RETENTION_DAYS } from "../retention.ts";
import { tier } from "./billing.ts";
import { fieldErrors } from "./field-errors.ts";
import { count, instant } from "./values.ts";

const days = count.nullable();

/** How long a user's traces are kept. */
export const retention = z.object({
  /** The smallest of the limits of the user, the plan and the installation. */
  days: days.describe("For how many days your traces are kept; null means without a limit"),
  chosenDays: days.describe("What you chose; null means as long as possible"),
  maxDays: days.describe("The most days that your plan and this installation allow; null means no limit"),
  planned: z
    .object({ days: count, from: instant })
    .nullable()
    .describe("After a change of plan: from this time on, traces are kept for so many days"),
  plans: z.array(z.object({ tier, days })).describe("The most days that each plan allows"),
});

/** How many traces are as old as a number of days. */
export const expiredTraces = z.object({ traces: count });

const BOUNDS = `must be a whole number from 1 to ${MAX_RETENTION_DAYS}`;
const isDays = (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_RETENTION_DAYS;
const DAYS_META = { type: "integer", minimum: 1, maximum: MAX_RETENTION_DAYS } as const;

const chosenDays = z
  .number()
  .refine(isDays, { error: BOUNDS })
  .meta(DAYS_META)
  .register(fieldErrors, { texts: [BOUNDS] });
export const chosenRetention = z.object({ days: chosenDays.nullable() });

const daysParam = z
  .string({ error: BOUNDS })
  .refine((text) => /^\d+$/.test(text) && isDays(Number(text)), { error: BOUNDS })
  .transform(Number)
  .meta(DAYS_META)
  .register(fieldErrors, { texts: [BOUNDS] });
export const expiredTracesQuery = z.object({ days: daysParam });

export type Retention = z.infer<typeof retention>;
export type ChosenRetention = z.input<typeof chosenRetention>;
