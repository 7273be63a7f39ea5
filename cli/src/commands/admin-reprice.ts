import { parseInstant } from "@whytrace/contract";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, usageError } from "../command.ts";
import { findRunningDev } from "../dev/dev-state.ts";
import { formatUsd } from "../format.ts";
import { dataFolderOf } from "../target.ts";
import { withOperator } from "../with-operator.ts";

export const adminReprice: Command = {
  name: "admin reprice",
  about: "compute the costs of stored model calls again, with today's prices and price rules",
  positionals: [],
  options: {
    user: { value: "email", about: "only the traces of this user; default: of all users" },
    from: { value: "date", about: "only traces that started then or later, an ISO 8601 date" },
    "dry-run": { about: "say what would change, and change nothing" },
    database: {
      value: "url",
      about: "the server's database; default: DATABASE_URL, or the running `whytrace dev`",
    },
    data: { value: "folder", about: "data folder of `whytrace dev`, if not the default" },
  },
  details:
    "Costs that clients sent stay as they are. Servers can keep running, and traces can be stored meanwhile.",
  async run(call) {
    const { args, config, output } = call;
    const [email, from] = [args.text("user"), args.text("from")];
    const fromMs = from === undefined ? undefined : parseInstant(from);
    if (from !== undefined && fromMs === undefined)
      throw usageError(
        `Invalid --from ${from}: must be an ISO 8601 date, such as 2026-01-31`,
        "admin reprice",
      );
    const dev = args.has("database") ? undefined : await findRunningDev(dataFolderOf(call));
    const databaseUrl = args.text("database") ?? dev?.databaseUrl ?? config.databaseUrl;
    if (databaseUrl === undefined)
      throw usageError("Missing --database: the traces are priced in the server's database", "admin reprice");
    const isDryRun = args.has("dry-run");
    let users = 0;
    let changed = 0;
    await withOperator(databaseUrl, async (operator) => {
      for await (const repricing of operator.reprice({ fromMs, isDryRun }, email)) {
        users += 1;
        changed += repricing.changedTraces;
        output.json({ ...repricing, isDryRun });
        if (repricing.changedTraces > 0)
          output.line(
            `${repricing.email}: ${repricing.changedTraces} of ${repricing.traces} traces, ${repricing.changedSpans} spans, ` +
              `${formatUsd(repricing.costBeforeUsd)} → ${formatUsd(repricing.costAfterUsd)}`,
          );
      }
    });
    if (email !== undefined && users === 0)
      throw new CliError(`No user has the email address ${email}`, { exitCode: EXIT.notFound });
    const noun = changed === 1 ? "trace" : "traces";
    output.line(
      isDryRun ? `${changed} ${noun} would change. Nothing was changed` : `${changed} ${noun} changed`,
    );
  },
};
