import { z } from "zod";
import { count } from "../values.ts";

/** What runs say in which an option was drawn at random. */
export const experiment = z
  .object({
    difference: z
      .number()
      .describe(
        "The share of bad runs among those that drew the option, less that among those that drew another",
      ),
    low: z.number().describe("The interval contains the true difference in 95 of 100 cases"),
    high: z.number(),
    drawn: count.describe("Draws of this option and of the others"),
  })
  .nullable()
  .describe("Null: fewer than 20 draws of the option, or of the others, or fewer than 10 sessions");

export type Experiment = NonNullable<z.infer<typeof experiment>>;
