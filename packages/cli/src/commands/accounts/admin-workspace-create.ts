import { CliError, EXIT } from "../../cli-error.ts";
import { type Command, usageError } from "../../command.ts";
import { DATABASE_OPTIONS, databaseName, databaseTarget } from "../../database-target.ts";
import { withOperator } from "../../with-operator.ts";

const NAME = "admin workspace create";

export const adminWorkspaceCreate: Command = {
  name: NAME,
  about: "create a workspace for a user, also while WORKSPACE_CREATION is closed",
  positionals: ["<name>"],
  options: { owner: { value: "email", about: "who owns it" }, ...DATABASE_OPTIONS },
  async run(call) {
    const { args, output } = call;
    const name = args.positionals[0]?.trim() ?? "";
    const owner = args.text("owner");
    if (owner === undefined) throw usageError("Missing --owner: the email address of a user", NAME);
    if (name === "" || name.length > 100) throw usageError("<name> must have 1 to 100 characters", NAME);
    const database = await databaseTarget(call, NAME, "the workspace is created in the database");
    output.note(`Database: ${databaseName(database.url)}`);
    await withOperator(database.url, async (operator) => {
      const created = await operator.createWorkspace(name, owner);
      if (!created)
        throw new CliError(`No user has the email address ${owner}`, {
          advice: `\`whytrace admin add-user ${owner}\` creates an account.`,
          exitCode: EXIT.notFound,
        });
      output.line(created.slug);
      output.json({ slug: created.slug, name, owner });
    });
  },
};
