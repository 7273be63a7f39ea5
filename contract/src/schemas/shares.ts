import { z } from "zod";
import { MAX_SHARES_PER_WORKSPACE, SHARE_DAYS } from "../shares.ts";
import { futureDate } from "./future-date.ts";
import { count, instant } from "./values.ts";
import { createdBy } from "./workspaces/workspaces.ts";

export const newShare = z.object({
  payloads: z
    .boolean()
    .default(true)
    .describe(
      "false: the link shows no input, output, metadata, contextSnapshot and reasoning, and of options only their names",
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
  createdAt: instant,
  expiresAt: instant,
});

/** A secret link to one trace, which everybody who has it can read. */
export const share = createdShare.omit({ url: true }).extend({
  traceId: z.string(),
  traceName: z.string().nullable().describe("Null if the trace was deleted, which ends the link"),
  isExpired: z.boolean(),
  openCount: count.describe("How often the page of the link was opened"),
  lastOpenedAt: instant.nullable(),
  createdBy,
});
export const shareList = z.object({ shares: z.array(share).max(MAX_SHARES_PER_WORKSPACE) });

/** What the page of a shared trace needs to know about its link. */
export const sharedLink = z.object({ hasPayloads: z.boolean(), expiresAt: instant });

export type NewShare = z.input<typeof newShare>;
export type CreatedShare = z.infer<typeof createdShare>;
export type Share = z.infer<typeof share>;
export type ShareList = z.infer<typeof shareList>;
export type SharedLink = z.infer<typeof sharedLink>;
