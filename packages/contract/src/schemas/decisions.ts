import { z } from "zod";
import { RUN_OUTCOMES } from "../traces/run-outcomes.ts";
import { cursorInfo, pageInfo } from "./page.ts";
import { decisionPoint } from "./traces.ts";
import { instant, status } from "./values.ts";

/** A decision point in the list of decisions of all traces. */
const decisionRow = decisionPoint.extend({
  traceId: z.string(),
  trace: z.object({
    id: z.string(),
    name: z.string(),
    status,
    startedAt: instant,
    outcome: z.enum(RUN_OUTCOMES).optional().describe("Only with include=outcome"),
  }),
});
const decisionPage = z.object({ decisions: z.array(decisionRow), ...pageInfo.shape });
export const decisionList = z.union([
  decisionPage,
  z.object({ decisions: z.array(decisionRow), ...cursorInfo.shape }),
]);

export type DecisionRow = z.infer<typeof decisionRow>;
