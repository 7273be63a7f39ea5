import type { DriftReport } from "@whytrace/contract";
import { EXIT } from "../cli-error.ts";
import { type Command, type ParsedArgs, usageError } from "../command.ts";
import { comparisonQuery } from "../comparison-query.ts";
import { isAllTested, printDrift } from "../print/print-drift.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";

/** Days from before the update are counted a month at a time. */
const MAX_REQUESTS = 12;

export const drift: Command = {
  name: "drift",
  about: "compare what agents choose between two releases, tags or time ranges, and check decision rules",
  positionals: [],
  options: {
    agent: { value: "name", about: "only this agent: the name of its traces" },
    release: { value: "name", about: "the current release; default: the newest one" },
    base: { value: "name", about: "the release to compare with; default: the one before" },
    tag: { value: "tag", about: "compare traces with this tag, together with --base-tag" },
    "base-tag": { value: "tag", about: "the tag to compare with" },
    from: { value: "date", about: "start of the current time range, for example 2026-11-09" },
    to: { value: "date", about: "end of the current time range; default: now" },
    "base-from": { value: "date", about: "start of the time range to compare with" },
    "base-to": { value: "date", about: "end of the time range to compare with" },
    fail: {
      about: "exit with 1 if something drifts or a rule is broken, with 3 if something could not be tested",
    },
    "allow-untested": { about: "with --fail: exit with 0 if nothing drifts, whatever could not be tested" },
    ...TARGET_OPTIONS,
  },
  details:
    "Without options it compares the newest release of the last 30 days with the one before it; without releases, the last 7 days\n" +
    "with the 7 before them. A release is a tag such as v2.3.1 or release:2026-11-02, or service.version of OpenTelemetry.\n" +
    "A decision cannot be tested if it was made on one side only, fewer than 20 times or in fewer than 10 sessions on a side (a run\n" +
    "without a session counts as one), or if its only option has no known alternative.",
  async run(call) {
    const { args, output } = call;
    const query = queryOf(args);
    const api = await readingApi(call);
    let report: DriftReport;
    let requests = 0;
    do {
      report = await api.call("GET /api/insights/drift", { query });
      requests += 1;
    } while (report.progress !== undefined && requests < MAX_REQUESTS);
    output.json(report);
    printDrift(report, output);
    if (!args.has("fail")) return EXIT.ok;
    if (report.isFailed) return EXIT.failed;
    return isAllTested(report) || args.has("allow-untested") ? EXIT.ok : EXIT.untested;
  },
};

function queryOf(args: ParsedArgs) {
  if ((args.has("release") || args.has("base")) && (args.has("tag") || args.has("base-tag")))
    throw usageError("Compare either releases or tags: --release and --tag cannot be combined", "drift");
  if (args.has("tag") !== args.has("base-tag"))
    throw usageError("--tag and --base-tag must be given together", "drift");
  if (args.has("allow-untested") && !args.has("fail"))
    throw usageError("--allow-untested needs --fail", "drift");
  return comparisonQuery(args, "drift");
}
