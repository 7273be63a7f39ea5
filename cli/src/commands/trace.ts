import type { TraceRow, WholeTrace } from "@whytrace/contract";
import type { Api } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, usageError } from "../command.ts";
import { renderTrace } from "../render-trace.ts";
import { signedInApi, TARGET_OPTIONS } from "../target.ts";

export const trace: Command = {
  name: "trace",
  about: "print a trace as a tree, with its decisions and their reasons",
  positionals: ["[id]"],
  options: { last: { about: "print the latest trace" }, ...TARGET_OPTIONS },
  details: "--json prints the whole trace, including inputs and outputs. `whytrace traces` lists ids.",
  async run(call) {
    const { args, output } = call;
    const [id] = args.positionals;
    if (args.has("last") === (id !== undefined))
      throw usageError("Pass either the id of a trace or --last", "trace");
    const api = await signedInApi(call);
    const found = await api.get(`/api/traces/${encodeURIComponent(id ?? (await latestId(api)))}`);
    output.json(found);
    if (!output.isJson) renderTrace(found as WholeTrace, output);
  },
};

async function latestId(api: Api): Promise<string> {
  const { traces } = (await api.get("/api/traces?limit=1")) as { traces: TraceRow[] };
  const [latest] = traces;
  if (!latest)
    throw new CliError(`No traces yet at ${api.url}`, {
      advice: "Send one, or load demo traces with `whytrace seed`.",
      exitCode: EXIT.notFound,
    });
  return latest.id;
}
