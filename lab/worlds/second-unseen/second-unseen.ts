import type { World } from "../world.ts";
import { ASKED_AGAIN } from "./asked-again.ts";
import { BUG_NEVER_REPRODUCED } from "./bug-never-reproduced.ts";
import { CALLERS_HANG_UP } from "./callers-hang-up.ts";
import { CHARGED_TWICE } from "./charged-twice.ts";
import { GROWING_BATCHES } from "./growing-batches.ts";
import { HANDED_OVER_WITH_A_SUMMARY } from "./handed-over-with-a-summary.ts";
import { OLD_ATTACHMENT } from "./old-attachment.ts";
import { RELAXED_FILTER } from "./relaxed-filter.ts";
import { RETRY_BUDGET } from "./retry-budget.ts";
import { ROUTE_BY_INTENT } from "./route-by-intent.ts";
import { SORTED_HALF_WAY } from "./sorted-half-way.ts";
import { SPENT_ON_LONG_DOCUMENTS } from "./spent-on-long-documents.ts";

/**
 * Worlds whose author did not know how Why works, written after those of `unseen/` and by the same rules; nothing may be tuned on
 * them.
 */
export const SECOND_UNSEEN: World[] = [
  CHARGED_TWICE,
  BUG_NEVER_REPRODUCED,
  RELAXED_FILTER,
  SORTED_HALF_WAY,
  OLD_ATTACHMENT,
  HANDED_OVER_WITH_A_SUMMARY,
  RETRY_BUDGET,
  CALLERS_HANG_UP,
  GROWING_BATCHES,
  ROUTE_BY_INTENT,
  SPENT_ON_LONG_DOCUMENTS,
  ASKED_AGAIN,
];
