import { PARTNER_KINDS, type PartnerKind } from "@whytrace/contract";
import { omitEmpty, parseOneOf, parseText } from "../client/search-params.ts";

/** The page's URL search parameters. */
export interface CompareSearch {
  /** The id of the first trace. */
  a?: string | undefined;
  /** The id of the other trace. Without it, the most similar one is looked for. */
  b?: string | undefined;
  /** Why the other trace was chosen, if it is listed for several reasons. */
  kind?: PartnerKind | undefined;
  /** The id of a decision of the first trace that is suspected: the page opens there. */
  at?: string | undefined;
  /** Look for a trace that chose this option instead. */
  step?: string | undefined;
  /** Decisions that are the same are folded. */
  fold?: "1" | undefined;
  /** All keys of the context are shown, not only those that differ. */
  keys?: "all" | undefined;
}

export const parseCompareSearch = (search: Record<string, unknown>): CompareSearch =>
  omitEmpty({
    a: parseText(search.a),
    b: parseText(search.b),
    kind: parseOneOf(PARTNER_KINDS, search.kind),
    at: parseText(search.at),
    step: parseText(search.step),
    fold: parseOneOf(["1"], search.fold),
    keys: parseOneOf(["all"], search.keys),
  });
