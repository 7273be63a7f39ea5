import { z } from "zod";
import { MAX_SHARED_SUSPECTS, MAX_SHARES_PER_WORKSPACE, SHARE_DAYS } from "../shares.ts";
import { futureDate } from "./future-date.ts";
import { ending, suspect } from "./insights/blame.ts";
import { count, instant } from "./values.ts";
import { createdBy } from "./workspaces/workspaces.ts";

export const newShare = z.object({
  payloads: z
    .boolean()
    .default(true)
    .describe(
      "false: the link shows no input, output, metadata, contextSnapshot and reasoning, and of options only their names",
    ),
  why: z
    .boolean()
    .default(false)
    .describe(
      "true: the link also says which decisions explain why this run went wrong, as GET /api/insights/blame/:traceId says it now",
    ),
  expiresAt: futureDate
    .optional()
    .describe(`From then on the link does not work. Default: in ${SHARE_DAYS} days`),
});

/** The response to the creation of a link, the only one that contains the link itself. */
export const createdShare = z.object({
  id: z.string(),
  url: z.url().describe("The link. It is shown only once: copy it now"),
  hasPayloads: z.boolean(),
  hasWhy: z.boolean(),
  createdAt: instant,
  expiresAt: instant,
});

/** A secret link to one trace, which everybody who has it can read. */
const share = createdShare.omit({ url: true }).extend({
  traceId: z.string(),
  traceName: z.string().nullable().describe("Null if the trace was deleted, which ends the link"),
  isExpired: z.boolean(),
  openCount: count.describe("How often the page of the link was opened"),
  lastOpenedAt: instant.nullable(),
  createdBy,
});
export const shareList = z.object({ shares: z.array(share).max(MAX_SHARES_PER_WORKSPACE) });

/** What the page of a shared trace needs to know about its link. */
export const sharedLink = z.object({ hasPayloads: z.boolean(), hasWhy: z.boolean(), expiresAt: instant });

const sharedSuspect = suspect
  .pick({
    kind: true,
    decisionPointId: true,
    turns: true,
    type: true,
    suspicion: true,
    beforeMs: true,
    place: true,
    explains: true,
    ratio: true,
    rate: true,
    otherRate: true,
    comparable: true,
    experiment: true,
  })
  .extend({
    option: z
      .string()
      .describe("Empty if it was left out: only other runs name it. Without payloads it is only a name"),
  });

/** What explains a shared run: the suspects, and of other runs only the counts that their sentences name. */
export const sharedWhy = z.object({
  computedAt: instant.describe("When the link was made. Runs since then are not compared"),
  ending,
  badRuns: z.number().describe("Bad runs of the agent that were compared"),
  suspects: z.array(sharedSuspect).max(MAX_SHARED_SUSPECTS).describe("The likeliest cause first"),
  isChanged: z
    .boolean()
    .describe("Whether a suspect is missing because its decision has changed since the link was made"),
});

export type NewShare = z.input<typeof newShare>;
export type CreatedShare = z.infer<typeof createdShare>;
export type Share = z.infer<typeof share>;
export type SharedLink = z.infer<typeof sharedLink>;
export type SharedSuspect = z.infer<typeof sharedSuspect>;
export type SharedWhy = z.infer<typeof sharedWhy>;
