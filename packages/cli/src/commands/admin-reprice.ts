import { parseInstant } from "@whytrace/contract";
import { CliError, EXIT } from "../cli-error.ts";
import { type Command, usageError } from "../command.ts";
import { DATABASE_OPTIONS, databaseName, databaseTarget } from "../database-target.ts";
import { formatUsd } from "../print/format.ts";
import { withOperator } from "../with-operator.ts";

export const adminReprice: Command = {
  name: "admin reprice",
  about: "compute the costs of stored model calls again, with today's prices and price rules",
  positionals: [],
  options: {
    user: { value: "email", about: "only the traces of this user; default: of all users" },
    from: { value: "date", about: "only traces that started then or later, an ISO 8601 date" },
    "dry-run": { about: "say what would change, and change nothing" },
    ...DATABASE_OPTIONS,
  },
  details:
    "Costs that clients sent stay as they are. Servers can keep running, and traces can be stored meanwhile.",
  async run(call) {
    const { args, output } = call;
    const [email, from] = [args.text("user"), args.text("from")];
    const fromMs = from === undefined ? undefined : parseInstant(from);
    if (from !== undefined && fromMs === undefined)
      throw usageError(
        `Invalid --from ${from}: must be an ISO 8601 date, such as 2026-01-31`,
        "admin reprice",
      );
    const { url } = await databaseTarget(
      call,
      "admin reprice",
      "the traces are priced in the server's database",
    );
    output.note(`Database: ${databaseName(url)}`);
    const isDryRun = args.has("dry-run");
    let workspaces = 0;
    let changed = 0;
    await withOperator(url, async (operator) => {
      for await (const repricing of operator.reprice({ fromMs, isDryRun }, email)) {
        workspaces += 1;
        changed += repricing.changedTraces;
        output.json({ ...repricing, isDryRun });
        if (repricing.changedTraces > 0)
          output.line(
            `${repricing.email}: ${repricing.changedTraces} of ${repricing.traces} traces, ${repricing.changedSpans} spans, ` +
              `${formatUsd(repricing.costBeforeUsd)} → ${formatUsd(repricing.costAfterUsd)}`,
          );
      }
    });
    if (email !== undefined && workspaces === 0)
      throw new CliError(`No user has the email address ${email}`, { exitCode: EXIT.notFound });
    const noun = changed === 1 ? "trace" : "traces";
    output.line(
      isDryRun ? `${changed} ${noun} would change. Nothing was changed` : `${changed} ${noun} changed`,
    );
  },
};
