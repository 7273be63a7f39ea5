import { CliError, EXIT } from "../cli-error.ts";
import { type Command, usageError } from "../command.ts";
import { comparisonQuery } from "../comparison-query.ts";
import { printReleases } from "../print/print-releases.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";

const MAX_NAMED_AGENTS = 20;

export const compareReleases: Command = {
  name: "compare-releases",
  about:
    "say whether a release of an agent is worse than another, with its bad runs, errors, choices, cost and time",
  positionals: ["[agent]"],
  options: {
    release: { value: "name", about: "the current release; default: the newest one" },
    base: { value: "name", about: "the release to compare with; default: the one before" },
    from: { value: "date", about: "start of the current time range, for example 2026-11-09" },
    to: { value: "date", about: "end of the current time range; default: now" },
    "base-from": { value: "date", about: "start of the time range to compare with" },
    "base-to": { value: "date", about: "end of the time range to compare with" },
    fail: { about: "exit with 1 if the release is worse in any way, with 3 if it cannot be told yet" },
    ...TARGET_OPTIONS,
  },
  details:
    "The agent is the name of its traces; it can be left out if there is only one. Without options the command compares the newest\n" +
    "release of the last 30 days with the one before it; without releases, the last 7 days with the 7 before them. If both are alike,\n" +
    "at most 5 of 100 comparisons say that one is worse or better.",
  async run(call) {
    const { args, output } = call;
    const query = comparisonQuery(args, "compare-releases");
    const api = await readingApi(call);
    const list = async () => (await api.call("GET /api/insights/agents")).agents;
    const agent = args.positionals[0] ?? onlyAgent((await list()).map(({ name }) => name));
    const comparison = await api.call("GET /api/insights/releases/compare", { query: { ...query, agent } });
    output.json(comparison);
    printReleases(comparison, output);
    if (!args.has("fail")) return EXIT.ok;
    if (comparison.verdict === "worse" || comparison.verdict === "mixed") return EXIT.failed;
    return comparison.verdict === "untested" ? EXIT.untested : EXIT.ok;
  },
};

function onlyAgent(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined)
    throw new CliError("No agent decided something in the last 30 days. Name an agent", {
      exitCode: EXIT.notFound,
    });
  const listed = names.slice(0, MAX_NAMED_AGENTS).map((name) => JSON.stringify(name));
  throw usageError(`Name one of the agents: ${listed.join(", ")}`, "compare-releases");
}
