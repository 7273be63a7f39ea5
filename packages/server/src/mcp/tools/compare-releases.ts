import type { ReleaseMeasure } from "@whytrace/contract";
import { z } from "zod";
import { dateParam, textParam } from "../../http/request/query-params.ts";
import { compareReleases as compare } from "../../insights/releases/compare-releases.ts";
import { fitLines } from "../answer.ts";
import { pageLinks } from "../page-links.ts";
import { shortNumber } from "../short-number.ts";
import { defineTool } from "../tool.ts";

const VERDICTS = {
  worse: "The current release is worse than the base.",
  better: "The current release is better than the base.",
  mixed: "The current release is worse than the base in one way and better in another.",
  alike: "Nothing shows that the current release is worse than the base.",
  untested: "Whether the current release is worse than the base cannot be told yet.",
} as const;

export const compareReleases = defineTool({
  name: "compare_releases",
  title: "Say whether a release is worse than another",
  description:
    "Compares bad runs, cost and time of two releases or time ranges of an agent, and lists errors and choices that changed. Without " +
    "release: the newest release with the one before it, or else the last 7 days with the 7 before. Lines: { sentence, page }; " +
    "{ base, current }; one line per measure { name, base, current, change with its 95 % interval, p, verdict }; then errors { change, " +
    "name, message, base, current, isClear, traceId } and choices { signature, type, options with their counts on both sides }.",
  input: z.strictObject({
    agent: z.string().describe("The agent: the name of its traces"),
    release: textParam("The release of the current side"),
    baseRelease: textParam("The release of the base"),
    from: dateParam("from", "Start of the current side, an ISO 8601 date"),
    to: dateParam("to", "End of the current side. Default: now"),
    baseFrom: dateParam("baseFrom", "Start of the base"),
    baseTo: dateParam("baseTo", "End of the base. Default: the start of the current side"),
  }),
  async run({ days, reads, workspaceId, publicUrl }, { agent, ...query }) {
    const found = await compare({ days, reads }, workspaceId, agent, query);
    const { sentence, base, current, verdict, measures, errors, choices } = found;
    return {
      summary:
        `${VERDICTS[verdict]} ${current.judgedRuns} runs were compared with ${base.judgedRuns} before. If both are alike, at most 5 of ` +
        `100 such verdicts are wrong. ${errors.length} errors and ${choices.length} decisions changed.`,
      lines: fitLines([
        { sentence, page: pageLinks(publicUrl).releases(agent) },
        { base, current },
        ...measures.map(describeMeasure),
        ...errors.map(({ sent: _, p, ...error }) => ({ ...error, p: shortNumber(p) })),
        ...choices.map(({ signature, type, options, distance, p }) => ({
          signature,
          type,
          distance: shortNumber(distance),
          p: shortNumber(p),
          options: options.map(({ step, name, base: before, current: after }) => ({
            step,
            name,
            base: before,
            current: after,
          })),
        })),
      ]),
    };
  },
});

const describeMeasure = ({ name, base, current, change, p, verdict, untested }: ReleaseMeasure) => ({
  name,
  verdict,
  ...(untested !== null && { untested }),
  base: base && shortNumber(base.value),
  current: current && shortNumber(current.value),
  change: change && {
    value: shortNumber(change.value),
    low: shortNumber(change.low),
    high: shortNumber(change.high),
  },
  p: shortNumber(p),
});
