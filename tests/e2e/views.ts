import { sampleOf } from "@whytrace/testing/volume.ts";
import { paths } from "../../packages/dashboard/src/paths.ts";
import { HOSTILE_TRACE, LONG_SESSION, LONG_TRACE } from "./every-page.ts";

/** What a trace's page shows in its panel and its modes. */
const OF_A_TRACE = [
  "/traces/support-refund",
  "/traces/support-refund?decision=d4&find=critical",
  "/traces/support-refund?span=refund&tab=io&q=refund",
  "/traces/support-refund?span=read&tab=io",
  "/traces/support-refund?span=refund&tab=events",
  "/traces/support-refund?span=refund&tab=raw",
  "/traces/support-refund?view=transcript",
];

/** What else some paths show: filters, nothing, and what is too long. */
const VARIANTS = [
  ...OF_A_TRACE,
  "/?view=tables&range=30d",
  "/traces?status=ERROR&tags=production&sessionId=suppliers&received=7d",
  "/traces?status=ERROR&sort=oldest",
  "/traces?search=nothing",
  "/traces?search=refund&in=everything",
  "/traces?search=onerror&in=everything",
  LONG_TRACE,
  `${HOSTILE_TRACE}?span=m`,
  `${HOSTILE_TRACE}?span=s&tab=io&q=onerror`,
  "/traces/unknown",
  "/decisions?type=RETRY",
  "/decisions?search=nothing",
  paths.agent.replace("$agent", "hostile"),
  paths.releases.replace("$agent", "hostile"),
  "/sessions/hostile",
  `${LONG_SESSION}?view=table`,
  "/sessions/none",
  "/settings/prices?model=gpt-4o",
];

/** Every address that is swept. */
export const VIEWS: readonly string[] = [...Object.values(paths), HOSTILE_TRACE, ...sampleOf(VARIANTS)];

/** Pages that are laid out otherwise when they open on a phone. */
export const VIEWS_ON_PHONE: readonly string[] = [
  ...OF_A_TRACE,
  LONG_TRACE,
  paths.decisions,
  paths.scorecard,
];
