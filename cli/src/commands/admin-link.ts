import { CliError, EXIT } from "../cli-error.ts";
import { type Command, parseOrigin, usageError } from "../command.ts";
import { findRunningDev } from "../dev/dev-state.ts";
import { DEV_EMAIL } from "../dev/sign-in.ts";
import { dataFolderOf } from "../target.ts";
import { withOperator } from "../with-operator.ts";

export const adminLink: Command = {
  name: "admin link",
  about: "create a sign-in or password-reset link for a user, without email",
  positionals: ["[email]"],
  options: {
    reset: { about: "create a password-reset link, valid for one hour, instead" },
    database: {
      value: "url",
      about: "the server's database; default: DATABASE_URL, or the running `whytrace dev`",
    },
    url: {
      value: "url",
      about: "public URL of the server; default: PUBLIC_URL, or the running `whytrace dev`",
    },
    data: { value: "folder", about: "data folder of `whytrace dev`, if not the default" },
  },
  details:
    "A sign-in link works once, within 10 minutes. Anyone who opens it is signed in as that user, so share it privately.",
  async run(call) {
    const { args, config, output } = call;
    const dev = await findRunningDev(dataFolderOf(call));
    const isDev = !args.has("database") && dev?.databaseUrl !== undefined;
    const databaseUrl = args.text("database") ?? (isDev ? dev?.databaseUrl : config.databaseUrl);
    const [email = isDev ? DEV_EMAIL : undefined] = args.positionals;
    if (email === undefined)
      throw usageError("Missing argument [email]: the user to create the link for", "admin link");
    if (databaseUrl === undefined)
      throw usageError("Missing --database: the link is created in the server's database", "admin link");
    const url =
      args.url("url") ?? (isDev ? dev?.url : config.publicUrl && parseOrigin(config.publicUrl, "PUBLIC_URL"));
    if (url === undefined) throw usageError("Missing --url: the public URL of the server", "admin link");
    await withOperator(databaseUrl, async (operator) => {
      const isReset = args.has("reset");
      const link = isReset ? await operator.resetLink(url, email) : await operator.signInLink(url, email);
      if (link === undefined)
        throw new CliError(`No user has the email address ${email}`, { exitCode: EXIT.notFound });
      output.line(link);
      output.json({ email, link, expiresInMinutes: isReset ? 60 : 10 });
    });
  },
};
