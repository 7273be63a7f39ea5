import { CliError } from "../../cli-error.ts";
import { type Command, parseOrigin, usageError } from "../../command.ts";
import { DATABASE_OPTIONS, databaseName, databaseTarget } from "../../database-target.ts";
import { withOperator } from "../../with-operator.ts";

export const adminAddUser: Command = {
  name: "admin add-user",
  about: "create an account, also while registration is closed, and a link to choose its password",
  positionals: ["<email>"],
  options: {
    name: { value: "name", about: "how pages call the person; default: what stands before the @" },
    url: {
      value: "url",
      about:
        "public URL of the server; default: PUBLIC_URL, or that of the `whytrace dev` whose database it is",
    },
    ...DATABASE_OPTIONS,
  },
  details:
    "The link works once, within one hour. Whoever opens it chooses the password, so share it privately.",
  async run(call) {
    const { args, config, output } = call;
    const database = await databaseTarget(call, "admin add-user", "the account is created in the database");
    const { dev } = database;
    const [address = ""] = args.positionals;
    if (!/^[^\s@]+@[^\s@]+$/.test(address))
      throw usageError("<email> must be an e-mail address such as ada@example.com", "admin add-user");
    const email = address.toLowerCase();
    const url =
      args.url("url") ?? (dev ? dev.url : config.publicUrl && parseOrigin(config.publicUrl, "PUBLIC_URL"));
    if (url === undefined) throw usageError("Missing --url: the public URL of the server", "admin add-user");
    output.note(`Database: ${databaseName(database.url)}`);
    await withOperator(database.url, async (operator) => {
      const isNew = await operator.addUser(email, args.text("name") ?? address.replace(/@.*/, ""));
      if (!isNew)
        throw new CliError(`${email} has an account already`, {
          advice: `\`whytrace admin link ${email} --reset\` creates a link to choose a new password.`,
        });
      const link = await operator.resetLink(url, email);
      output.line(link ?? "");
      output.json({ email, link, expiresInMinutes: 60 });
    });
  },
};
