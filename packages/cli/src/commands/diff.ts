import { NO_PARTNER } from "@whytrace/contract";
import type { Api } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { printComparison } from "../print/print-comparison.ts";
import { readComparison, readPartners } from "../print/read-comparison.ts";
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
    const comparison = await readComparison(api, a, b ?? (await findNearest(api, a)));
    output.json(comparison);
    if (!output.isJson) printComparison(comparison, output);
  },
};

async function findNearest(api: Api, id: string): Promise<string> {
  const { nearest, reason } = await readPartners(api, id);
  if (nearest !== undefined) return nearest;
  throw new CliError(NO_PARTNER[reason ?? "no-other-run"].replace(/\.$/, ""), {
    advice: "Pass the id of another trace: whytrace diff <a> <b>.",
    exitCode: EXIT.notFound,
  });
}
