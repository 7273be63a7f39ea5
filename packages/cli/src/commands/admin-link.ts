import { CliError, EXIT } from "../cli-error.ts";
import { type Command, parseOrigin, usageError } from "../command.ts";
import { DATABASE_OPTIONS, databaseName, databaseTarget } from "../database-target.ts";
import { DEV_EMAIL } from "../dev/sign-in.ts";
import { withOperator } from "../with-operator.ts";

export const adminLink: Command = {
  name: "admin link",
  about: "create a sign-in or password-reset link for a user, without email",
  positionals: ["[email]"],
  options: {
    reset: { about: "create a password-reset link, valid for one hour, instead" },
    url: {
      value: "url",
      about:
        "public URL of the server; default: PUBLIC_URL, or that of the `whytrace dev` whose database it is",
    },
    ...DATABASE_OPTIONS,
  },
  details:
    "A sign-in link works once, within 10 minutes. Anyone who opens it is signed in as that user, so share it privately.",
  async run(call) {
    const { args, config, output } = call;
    const database = await databaseTarget(call, "admin link", "the link is created in the server's database");
    const { dev } = database;
    const [email = dev && DEV_EMAIL] = args.positionals;
    if (email === undefined)
      throw usageError("Missing argument [email]: the user to create the link for", "admin link");
    const url =
      args.url("url") ?? (dev ? dev.url : config.publicUrl && parseOrigin(config.publicUrl, "PUBLIC_URL"));
    if (url === undefined) throw usageError("Missing --url: the public URL of the server", "admin link");
    output.note(`Database: ${databaseName(database.url)}`);
    await withOperator(database.url, async (operator) => {
      const isReset = args.has("reset");
      const link = isReset ? await operator.resetLink(url, email) : await operator.signInLink(url, email);
      if (link === undefined)
        throw new CliError(`No user has the email address ${email}`, { exitCode: EXIT.notFound });
      output.line(link);
      output.json({ email, link, expiresInMinutes: isReset ? 60 : 10 });
    });
  },
};
