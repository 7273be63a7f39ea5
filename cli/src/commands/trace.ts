import type { WholeTrace } from "@whytrace/contract";
import type { Command } from "../command.ts";
import { renderTrace } from "../render-trace.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";

export const trace: Command = {
  name: "trace",
  about: "print a trace as a tree, with its decisions and why they were made",
  positionals: ["<id>"],
  options: TARGET_OPTIONS,
  more: "--json prints the whole trace, inputs and outputs included.",
  async run(call) {
    const { given, output } = call;
    const api = await readingApi(call);
    const path = `/api/traces/${encodeURIComponent(given.positionals[0] ?? "")}`;
    const found = await api.get(output.isJson ? path : `${path}/outline`);
    if (output.isJson) output.json(found);
    else renderTrace(found as WholeTrace, output);
  },
};
