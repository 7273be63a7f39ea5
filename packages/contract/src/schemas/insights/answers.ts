import { z } from "zod";
import { SCORE_SOURCES } from "../scores.ts";
import { count } from "../values.ts";

/** Who judged the runs that an answer counts, where not every run was judged. */
export const answers = z
  .object({
    runs: count,
    sources: z.array(z.enum(SCORE_SOURCES)).describe("Those who judge some runs, and not every one"),
    answered: count.describe("Runs that one of them judged"),
    bad: count.describe("Those of them that are bad"),
    isOneSided: z.boolean().describe("Whether only complaints come"),
    contradictions: z
      .array(z.object({ sources: z.array(z.enum(SCORE_SOURCES)), runs: count, differ: count }))
      .describe("Sources that judged the same runs, and in how many of these they differ"),
  })
  .nullable()
  .describe(
    "Null unless scores decide, and fewer than 90 % of the runs of an agent have one from everybody who gives some",
  );
