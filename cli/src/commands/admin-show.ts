import { CliError, EXIT } from "../cli-error.ts";
import { type Command, usageError } from "../command.ts";
import { findRunningDev } from "../dev/dev-state.ts";
import { dataFolderOf } from "../target.ts";
import { withOperator } from "../with-operator.ts";

export const adminShow: Command = {
  name: "admin show",
  about: "print a trace of any user from the database as JSON",
  positionals: ["<trace>"],
  options: {
    database: {
      value: "url",
      about: "the server's database; default: DATABASE_URL, or the running `whytrace dev`",
    },
    data: { value: "folder", about: "data folder of `whytrace dev`, if not the default" },
  },
  details:
    "Payloads are printed byte for byte as they were sent: in the database they are compressed, so psql cannot show them.",
  async run(call) {
    const { args, config, output } = call;
    const [traceId = ""] = args.positionals;
    const dev = args.has("database") ? undefined : await findRunningDev(dataFolderOf(call));
    const databaseUrl = args.text("database") ?? dev?.databaseUrl ?? config.databaseUrl;
    if (databaseUrl === undefined)
      throw usageError("Missing --database: the trace is read from the server's database", "admin show");
    await withOperator(databaseUrl, async (operator) => {
      const trace = await operator.readTrace(traceId);
      if (!trace)
        throw new CliError(`No trace has the id ${JSON.stringify(traceId)}`, { exitCode: EXIT.notFound });
      for await (const pieces of trace.chunks()) output.rawJson(Buffer.concat(pieces).toString());
      output.rawJson("\n");
    });
  },
};
