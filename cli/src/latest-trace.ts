import type { Status, TraceRow } from "@whytrace/contract";
import type { Api } from "./api.ts";
import { CliError, EXIT } from "./cli-error.ts";

/** The id of the latest trace, of all or of those with a status. */
export async function latestTrace(api: Api, status?: Status): Promise<string> {
  const filter = status === undefined ? "" : `&status=${status}`;
  const { traces } = (await api.get(`/api/traces?limit=1${filter}`)) as { traces: TraceRow[] };
  const [latest] = traces;
  if (latest) return latest.id;
  throw new CliError(`No ${status === "ERROR" ? "failed traces" : "traces yet"} at ${api.url}`, {
    ...(status === undefined && { advice: "Send one, or load demo traces with `whytrace seed`." }),
    exitCode: EXIT.notFound,
  });
}
