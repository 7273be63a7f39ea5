import { z } from "zod";
import { RUN_OUTCOMES } from "../traces/run-outcomes.ts";
import { pageInfo } from "./page.ts";
import { count, instant, SUM_LIMIT, status } from "./values.ts";

const amount = z
  .number()
  .nullable()
  .describe(`The sum over the session's traces; null if none has a value. ${SUM_LIMIT}`);

/** The totals of the traces that share a sessionId. */
export const agentSession = z.object({
  sessionId: z.string(),
  traceCount: count,
  totalCost: amount,
  totalTokens: amount,
  totalDuration: amount,
  firstStartedAt: instant,
  lastStartedAt: instant,
  status: status.describe(
    "ERROR if any trace ended in ERROR, else RUNNING if any is running, else COMPLETED",
  ),
  outcome: z
    .enum(RUN_OUTCOMES)
    .describe("bad if any trace is, else open if any is running, else unknown if any is, else good"),
  badTraces: count,
  agents: z.array(z.string()).describe("The names of its earliest traces, each once; at most 4"),
  firstRequest: z
    .string()
    .nullable()
    .describe(
      "What its first trace was asked, in one line of at most 200 characters: taken from the input of the trace's first span, or from its metadata",
    ),
});
export const agentSessionPage = z.object({ sessions: z.array(agentSession), ...pageInfo.shape });

export type AgentSession = z.infer<typeof agentSession>;
