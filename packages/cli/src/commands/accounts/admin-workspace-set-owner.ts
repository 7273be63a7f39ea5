import { CliError, EXIT } from "../../cli-error.ts";
import type { Command } from "../../command.ts";
import { DATABASE_OPTIONS, databaseName, databaseTarget } from "../../database-target.ts";
import { withOperator } from "../../with-operator.ts";

const NAME = "admin workspace set-owner";

export const adminWorkspaceSetOwner: Command = {
  name: NAME,
  about: "make a user an owner of a workspace whose owners are gone",
  positionals: ["<slug>", "<email>"],
  options: DATABASE_OPTIONS,
  details: "The other owners stay. The audit log of the workspace names the operator.",
  async run(call) {
    const { args, output } = call;
    const [slug = "", email = ""] = args.positionals;
    const database = await databaseTarget(call, NAME, "the members are in the server's database");
    output.note(`Database: ${databaseName(database.url)}`);
    await withOperator(database.url, async (operator) => {
      const result = await operator.setOwner(slug, email);
      if (result !== "done")
        throw new CliError(
          result === "no user"
            ? `No user has the email address ${email}`
            : `No workspace has the slug ${slug}`,
          { exitCode: EXIT.notFound },
        );
      output.line(`${email} owns ${slug}.`);
      output.json({ slug, email, role: "owner" });
    });
  },
};
