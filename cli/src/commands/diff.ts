import { CliError, EXIT } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { printComparison } from "../print-comparison.ts";
import { nearestGoodRun, readComparison } from "../read-comparison.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";

export const diff: Command = {
  name: "diff",
  about: "compare the decisions of two traces",
  positionals: ["<a>", "[b]"],
  options: TARGET_OPTIONS,
  details:
    "Without b, compares with the nearest run of the agent that went well. In the list, ≠ is another choice, - only a decided, + only b.",
  async run(call) {
    const { args, output } = call;
    const [a = "", b] = args.positionals;
    const api = await readingApi(call);
    const other = b ?? (await nearestGoodRun(api, a));
    if (other === undefined)
      throw new CliError("No run of this agent that went well was found to compare with", {
        advice: "Pass the id of another trace: whytrace diff <a> <b>.",
        exitCode: EXIT.notFound,
      });
    const comparison = await readComparison(api, a, other);
    output.json(comparison);
    if (!output.isJson) printComparison(comparison, output);
  },
};
