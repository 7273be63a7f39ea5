import { SEVERITIES } from "@whytrace/contract/schemas/alerts/rules";
import { z } from "zod";

/*
 * What events carry. Slices that announce events know more fields than messages to people show: the others go to webhooks as they
 * are.
 */
const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);

const issueData = z.looseObject({
  number: z.number(),
  title: z.string(),
  agent: text,
  runs: number,
  share: z.looseObject({ value: z.number() }).nullish().catch(null),
  release: text,
  likely: z
    .looseObject({ word: z.string(), option: z.string(), alternative: z.string().nullish() })
    .nullish()
    .catch(null),
});
const ruleData = z.looseObject({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  agent: text,
  severity: z.enum(SEVERITIES).nullish().catch(null),
});

const eventData = z.looseObject({
  url: z.string().optional(),
  issue: issueData.optional(),
  rule: ruleData.optional(),
  reason: text,
  value: number,
  runs: number,
  unit: text,
  isReminder: z.boolean().optional(),
});

export type EventData = z.infer<typeof eventData>;

/** Throws if the slice that announced the event wrote something else. */
export const parseEventData = (payload: unknown): EventData => eventData.parse(payload);
