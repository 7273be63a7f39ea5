import type { Api } from "../api.ts";
import { type Command, usageError } from "../command.ts";
import { latestTrace } from "../latest-trace.ts";
import { renderTrace } from "../print/render-trace.ts";
import { readingApi, TARGET_OPTIONS } from "../target.ts";

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
    const reader = await readingApi(call);
    const api = id === undefined ? reader : await inWorkspaceOf(reader, id);
    const params = { id: id ?? (await latestTrace(api)) };
    const found = await api.call("GET /api/traces/:id", { params });
    output.json(found);
    if (!output.isJson) renderTrace(found, await api.call("GET /api/traces/:id/outcome", { params }), output);
  },
};

/** The id of a trace is unique on a server, so it says the workspace. A key has one alone. */
async function inWorkspaceOf(api: Api, id: string): Promise<Api> {
  if (!api.hasSession) return api;
  const personal = api.inWorkspace(undefined);
  const { workspace } = await personal.call("GET /api/traces/:id/workspace", { params: { id } });
  return api.inWorkspace(workspace.slug);
}
