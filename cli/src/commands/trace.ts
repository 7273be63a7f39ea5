import type { WholeTrace } from "@whytrace/contract";
import type { Command } from "../command.ts";
import { renderTrace } from "../render-trace.ts";
import { signedInApi, TARGET_OPTIONS } from "../target.ts";

export const trace: Command = {
  name: "trace",
  about: "print a trace as a tree, with its decisions and their reasons",
  positionals: ["<id>"],
  options: TARGET_OPTIONS,
  details: "--json prints the whole trace, including inputs and outputs.",
  async run(call) {
    const { args, output } = call;
    const api = await signedInApi(call);
    const path = `/api/traces/${encodeURIComponent(args.positionals[0] ?? "")}`;
    const found = await api.get(output.isJson ? path : `${path}/outline`);
    if (output.isJson) output.json(found);
    else renderTrace(found as WholeTrace, output);
  },
};
