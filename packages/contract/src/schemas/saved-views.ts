import { z } from "zod";
import { MAX_VIEW_NAME_LENGTH } from "../saved-views.ts";
import { plainText } from "./plain-text.ts";
import { instant } from "./values.ts";
import { createdBy } from "./workspaces/workspaces.ts";

const MAX_QUERY_LENGTH = 2_000;
const QUERY =
  "The search parameters of the dashboard's list of traces, for example status=ERROR&sort=costliest";

/** A list of traces with filters, sort order and columns, which a user has named. */
export const savedView = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string().describe(QUERY),
  isDefault: z.boolean().describe("Whether your list opens with this view"),
  createdAt: instant,
  createdBy,
});
export const savedViewList = z.object({ views: z.array(savedView) });

const name = plainText(MAX_VIEW_NAME_LENGTH);
const query = plainText(MAX_QUERY_LENGTH).describe(QUERY);
export const newSavedView = z.object({ name, query });
export const changedSavedView = z.object({
  name: name.optional(),
  query: query.optional(),
  isDefault: z.boolean().optional(),
});

export type SavedView = z.infer<typeof savedView>;
export type ChangedSavedView = z.input<typeof changedSavedView>;
