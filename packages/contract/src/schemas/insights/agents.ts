import { z } from "zod";
import { count, instant, optionalSum } from "../values.ts";
import { insightsRange, interval } from "./rate.ts";

const agentHealth = z.object({
  name: z.string().describe("The name of its traces, with changing parts masked as #"),
  runs: count.describe("Also those that decided nothing"),
  badRuns: count,
  openRuns: count.describe("Runs that are still running"),
  badShare: interval
    .nullable()
    .describe(
      "The share of bad runs among those that are good or bad; runs of a session count together. Null: none ended",
    ),
  costUsd: optionalSum,
  durationMs: z.number().nullable().describe("The median"),
  lastAt: instant.describe("The start of its newest run"),
  release: z.string().nullable().describe("That of its newest run"),
});

/** The agents of a time range, those with the most runs first. */
export const agentHealthList = insightsRange.pick({ from: true, to: true }).extend({
  agents: z.array(agentHealth).describe("At most 200"),
  isTruncated: z.boolean().describe("Whether there are more runs than were read: the newest 50,000"),
});

export type AgentHealth = z.infer<typeof agentHealth>;
export type AgentHealthList = z.infer<typeof agentHealthList>;
