import type { RunOutcomeName } from "@whytrace/contract";
import type { Api } from "./api.ts";
import { CliError, EXIT } from "./cli-error.ts";

/** The id of the latest trace, of all or of those with an outcome. */
export async function latestTrace(api: Api, outcome?: RunOutcomeName): Promise<string> {
  const { traces } = await api.call("GET /api/traces", { query: { limit: 1, outcome } });
  const [latest] = traces;
  if (latest) return latest.id;
  throw new CliError(`No ${outcome === undefined ? "traces yet" : `${outcome} traces`} at ${api.url}`, {
    ...(outcome === undefined && { advice: "Send one, or load demo traces with `whytrace seed`." }),
    exitCode: EXIT.notFound,
  });
}
