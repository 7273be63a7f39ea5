import { z } from "zod";
import type { NoticeContent } from "./compose-notice.ts";
import type { DescribedNotice } from "./send-notices.ts";

const WORDS: Readonly<Record<string, string>> = {
  "alert.firing": "Firing",
  "alert.recovered": "Recovered",
  "alert.no_data": "No data",
};

/** What a rule's event says, of what channels get. */
const alertPayload = z.object({
  url: z.string(),
  rule: z.object({ name: z.string(), agent: z.string().nullish() }),
  value: z.number().nullish(),
  runs: z.number().nullish(),
  unit: z.string().nullish(),
});

/** What a mail about a rule says; undefined if the notice is about something else. */
export function describeAlertNotice({ type, payload }: DescribedNotice): NoticeContent | undefined {
  const word = WORDS[type];
  const parsed = alertPayload.safeParse(payload);
  if (word === undefined || !parsed.success) return undefined;
  const { url, rule, value, runs, unit } = parsed.data;
  return {
    headline: `${word}: ${rule.name}${rule.agent ? ` · ${rule.agent}` : ""}`,
    paragraphs: [
      `The rule ${rule.name} says: ${word.toLowerCase()}.`,
      ...(value == null
        ? []
        : [`Its value is ${formatValue(value, unit)}${runs == null ? "" : `, of ${runs} runs`}.`]),
    ],
    action: { label: "Show these runs", path: url },
  };
}

function formatValue(value: number, unit: string | null | undefined): string {
  if (unit === "share") return `${Number((value * 100).toPrecision(3))} %`;
  const short = Number(value.toPrecision(3));
  if (unit === "usd") return `$${short}`;
  return unit ? `${short} ${unit}` : String(short);
}
