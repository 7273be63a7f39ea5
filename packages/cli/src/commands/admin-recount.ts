import { CliError, EXIT } from "../cli-error.ts";
import { type Command, usageError } from "../command.ts";
import { DATABASE_OPTIONS, databaseName, databaseTarget } from "../database-target.ts";
import { formatCount } from "../print/format.ts";
import { withOperator } from "../with-operator.ts";

export const adminRecount: Command = {
  name: "admin recount",
  about: "correct stored totals and agent sessions after traces were deleted in the database",
  positionals: [],
  options: {
    user: { value: "email", about: "count the traces of this user" },
    all: { about: "count the traces of all users" },
    ...DATABASE_OPTIONS,
  },
  details:
    "Also deletes what is left of traces that were deleted in the table traces alone. Servers can keep running, and traces " +
    "can be stored meanwhile.",
  async run(call) {
    const { args, output } = call;
    const email = args.text("user");
    if ((email === undefined) === !args.has("all"))
      throw usageError("Give either --user <email> or --all", "admin recount");
    const { url } = await databaseTarget(
      call,
      "admin recount",
      "the traces are counted in the server's database",
    );
    output.note(`Database: ${databaseName(url)}`);
    let workspaces = 0;
    let corrected = 0;
    await withOperator(url, async (operator) => {
      for await (const recount of operator.recount(email)) {
        workspaces += 1;
        output.json(recount);
        const text = describe(recount);
        if (text === "") continue;
        corrected += 1;
        output.line(`${recount.email}: ${text}`);
      }
    });
    if (email !== undefined && workspaces === 0)
      throw new CliError(`No user has the email address ${email}`, { exitCode: EXIT.notFound });
    output.line(`${formatCount(workspaces, "workspace")} counted, ${corrected} corrected`);
  },
};

interface Corrections {
  removedTraces: number;
  correctedAgentSessions: number;
  corrections: Readonly<Record<string, number>>;
}

function describe({ removedTraces, correctedAgentSessions, corrections }: Corrections): string {
  return [
    ...Object.entries(corrections).map(([kind, change]) => `${kind} ${change > 0 ? "+" : ""}${change}`),
    ...(correctedAgentSessions > 0 ? [`agent sessions corrected: ${correctedAgentSessions}`] : []),
    ...(removedTraces > 0 ? [`traces whose remains were deleted: ${removedTraces}`] : []),
  ].join(", ");
}
