import { z } from "zod";
import { count } from "./values.ts";

/** The position of a page in its list. */
export const pageInfo = z.object({ total: count, page: count, limit: count, totalPages: count });

/** The position of a page in a list that is read with a cursor. */
export const cursorInfo = z.object({
  limit: count,
  nextCursor: z.string().nullable().describe("The cursor of the next page; null after the last one"),
});

export type PageInfo = z.infer<typeof pageInfo>;
