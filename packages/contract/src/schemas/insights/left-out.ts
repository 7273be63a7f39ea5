import { z } from "zod";
import { count } from "../values.ts";

/** What an answer does not count, and why. */
export const leftOut = z
  .object({
    runs: count,
    missing: z
      .array(
        z.object({
          name: z.string().describe("The name of a score; feedback stands for any score of a user"),
          runs: count,
          isNotAsked: z
            .literal(true)
            .optional()
            .describe("Present if the runs are left out because nobody was asked for it"),
          isOfSomeAgents: z
            .literal(true)
            .optional()
            .describe(
              "Present if only the definitions of some agents need it: runs of others may lack it, too",
            ),
        }),
      )
      .describe("What is missing, and of how many runs"),
  })
  .describe("Runs that are not counted, because their outcome is unknown or nobody was asked");

export type LeftOut = z.infer<typeof leftOut>;
