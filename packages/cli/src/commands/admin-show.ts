import { CliError, EXIT } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { DATABASE_OPTIONS, databaseTarget } from "../database-target.ts";
import { withOperator } from "../with-operator.ts";

export const adminShow: Command = {
  name: "admin show",
  about: "print a trace of any user from the database as JSON",
  positionals: ["<trace>"],
  options: DATABASE_OPTIONS,
  details:
    "Payloads are printed byte for byte as they were sent: in the database they are compressed, so psql cannot show them.",
  async run(call) {
    const { args, output } = call;
    const [traceId = ""] = args.positionals;
    const { url } = await databaseTarget(call, "admin show", "the trace is read from the server's database");
    await withOperator(url, async (operator) => {
      const trace = await operator.readTrace(traceId);
      if (!trace)
        throw new CliError(`No trace has the id ${JSON.stringify(traceId)}`, { exitCode: EXIT.notFound });
      for await (const pieces of trace.chunks()) output.rawJson(Buffer.concat(pieces).toString());
      output.rawJson("\n");
    });
  },
};
