import { z } from "zod";

/** How many rows of a list are read for one answer. */
const PAGE_ROWS = 25;

export const INVALID_CURSOR =
  "Invalid cursor. Must be the cursor of the answer before, together with the same other arguments.";

/** A position in a list, from 0 on. */
export const positionParam = z
  .string({ error: INVALID_CURSOR })
  .optional()
  .transform((text = "0", context) => {
    if (!/^\d{1,9}$/.test(text)) context.addIssue(INVALID_CURSOR);
    return Number(text);
  })
  .meta({ type: "string", description: "Continue: the cursor of the answer before" });

/** The page that contains a position, and which of its rows come first. */
export const pageAt = (position: number) => ({
  page: { page: Math.floor(position / PAGE_ROWS) + 1, limit: PAGE_ROWS },
  skip: position % PAGE_ROWS,
});

/** The cursor after the given number of further entries of a list; null at its end. */
export const cursorAfter = (position: number, shown: number, total: number) =>
  position + shown < total ? String(position + shown) : null;
