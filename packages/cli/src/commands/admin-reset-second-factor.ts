import { CliError, EXIT } from "../cli-error.ts";
import { type Command, usageError } from "../command.ts";
import { DATABASE_OPTIONS, databaseName, databaseTarget } from "../database-target.ts";
import { withOperator } from "../with-operator.ts";

const NAME = "admin reset-second-factor";

export const adminResetSecondFactor: Command = {
  name: NAME,
  about: "remove every second factor of a user who lost them all",
  positionals: ["[email]"],
  options: DATABASE_OPTIONS,
  details:
    "Removes the user's passkeys, authenticator app and recovery codes, ends their sessions, and tells them by mail. The password stays. Make sure that it is the user who asks.",
  async run(call) {
    const { args, output } = call;
    const [email] = args.positionals;
    if (email === undefined)
      throw usageError("Missing argument [email]: whose second factor to remove", NAME);
    const database = await databaseTarget(call, NAME, "the second factor is in the server's database");
    output.note(`Database: ${databaseName(database.url)}`);
    await withOperator(database.url, async (operator) => {
      if (!(await operator.resetSecondFactor(email)))
        throw new CliError(`No user has the email address ${email}`, { exitCode: EXIT.notFound });
      output.line(`${email} signs in with the password alone from now on.`);
      output.json({ email, isReset: true });
    });
  },
};
